// Posting lists with other docids.
#pragma once

#include <span>
#include <vector>

#include "index/index.hpp"
#include "index/lists/list_source.hpp"
#include "index/updates/merge/merged_lists.hpp"

namespace gannet::index {

/// The lists of an index's segments as those of one, with other docids. A list may be empty.
class OrderedLists final : public ListSource {
 public:
  /// places[d]: the docid that document d of the index gets, or kNoPlace. Both must stay.
  OrderedLists(const Index& index, std::span<const Docid> places);

  bool next(PendingList& list) override { return lists_.next(list); }
  /// Throws FormatError for a list that is damaged.
  void postings(const PendingList& list, ListPostings& postings) const override;

 private:
  std::vector<MergedSegment> segments_;  ///< deleted documents included
  MergedLists lists_;
  std::span<const Docid> places_;
};

}  // namespace gannet::index
