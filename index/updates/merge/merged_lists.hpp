// The posting lists of several segments as those of one.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/lists/list_source.hpp"
#include "index/segment/segment.hpp"
#include "index/updates/merge/merged_segment.hpp"

namespace gannet::index {

/// The terms of all segments, in order; the documents of a segment come behind those of the
/// segments before it, and those that are deleted are left out: a list may be empty then. Holds as
/// many terms as there are segments.
class MergedLists : public ListSource {
 public:
  /// What of positions is wanted: those that the segments have, or none.
  enum class Places { kKept, kLeftOut };

  /// The segments must stay.
  explicit MergedLists(std::span<const MergedSegment> segments, Places places = Places::kKept);

  bool next(PendingList& list) override;
  /// Throws FormatError for a list that is damaged.
  void postings(const PendingList& list, ListPostings& postings) const override;

 private:
  /// A segment's next term.
  struct Cursor {
    std::size_t segment;
    TermId id;
    std::string term;
  };

  void push(std::size_t segment, std::uint64_t id);
  Cursor pop();

  std::span<const MergedSegment> segments_;
  Places places_;
  std::vector<Cursor> cursors_;  ///< a heap, the least term on top; of equal ones the first segment
};

}  // namespace gannet::index
