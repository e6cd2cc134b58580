// Inverted batches in memory, seen as posting lists in term order.
#pragma once

#include <stop_token>
#include <vector>

#include "index/inversion/inverter.hpp"
#include "index/lexicon/term_dictionary.hpp"
#include "index/lists/list_source.hpp"

namespace gannet::index {

/// The lists of the batches of a run. Refers to the dictionary, which must not change meanwhile.
class MemoryRun final : public FragmentSource {
 public:
  /// `batches` in docid order, their bases set, all with positions or none. Throws CancelledError
  /// once `stop` asks for it.
  MemoryRun(const TermDictionary& dictionary, std::vector<InvertedBatch> batches,
            const std::stop_token& stop = {});

  /// Number of distinct terms.
  std::uint64_t terms() const { return order_.size(); }

  /// Bytes that making a run of this many terms and fragments takes, besides batches and
  /// dictionary.
  static std::uint64_t memory(std::uint64_t terms, std::uint64_t fragments);

  bool next(PendingList& list) override;
  void postings(const PendingList& list, ListPostings& postings) const override;
  void fragments(const PendingList& list, std::vector<std::uint8_t>& coded) const override;

 private:
  /// Where a fragment is.
  struct FragmentPosition {
    std::uint32_t batch, index;
  };
  struct Extent {
    std::uint64_t start;  ///< of the term's positions in fragments_
    std::uint64_t bytes;  ///< of all its fragments
  };

  void sort_fragments(const std::stop_token& stop);
  void sort_terms(const std::stop_token& stop);
  template <class F>
  void for_each_fragment(TermNumber term, F&& f) const;

  const TermDictionary& dictionary_;
  std::vector<InvertedBatch> batches_;
  std::vector<FragmentPosition> fragments_;  ///< by term number, then in docid order
  std::vector<Extent> extents_;              ///< by term number; one more at the end
  std::vector<TermNumber> order_;            ///< terms with postings, bytewise
  std::size_t next_ = 0;
};

}  // namespace gannet::index
