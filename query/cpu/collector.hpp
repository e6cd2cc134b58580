// What the CPU back end gathers from one range of documents, for any Want.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "index/index.hpp"
#include "query/cpu/topk.hpp"
#include "query/filter/document_bitmap.hpp"
#include "query/plan/query.hpp"
#include "query/results/results.hpp"

namespace gannet::query {

/// Calls visit(position) for every bit of `word` that is set, lowest first.
template <class Visit>
void for_each_bit(std::uint64_t word, Visit visit) {
  for (; word != 0; word &= word - 1) visit(static_cast<std::uint32_t>(std::countr_zero(word)));
}

/// Matches of one plan in some documents, which come in ascending order.
struct Collector {
  Collector(Want wanted, std::uint32_t k, std::uint64_t below = kNoBound)
      : want(wanted), top(wanted == Want::kTopK ? k : 0, below) {}

  /// For kCount and kDocids: the documents of the segment first + i match for which bit i is set.
  void add_matches(index::Docid first, std::uint64_t matches) {
    count += static_cast<std::uint64_t>(std::popcount(matches));
    if (want != Want::kDocids) return;
    if (bitmap != nullptr) return add_to_bitmap(first, matches);
    for_each_bit(matches, [&](std::uint32_t i) { docids.push_back(base + first + i); });
  }

  /// For kTopK: a document matches, with a score >= 0.
  void add_scored(index::Docid docid, float score) {
    top.push(rank_key(std::bit_cast<std::uint32_t>(score), base + docid));
  }

  /// Matches are 64 documents from a multiple of 64 on, or a single one.
  void add_to_bitmap(index::Docid first, std::uint64_t matches) const {
    if (matches == 0) return;
    bitmap->words[first / 64] |= matches << first % 64;
    if (bitmap->touched.empty()) return;
    std::uint8_t& touched = bitmap->touched[first / DocumentBitmap::kStretch];
    if (touched == 0) touched = 1;  // other parts' bytes are in the same cache line
  }

  Want want;
  /// Where matches go, a bit each, instead of to docids: of the segment that is searched. Parts of
  /// a plan have words and stretches of their own.
  DocumentBitmap* bitmap = nullptr;
  /// The index's docid of the first document of the segment that is searched.
  index::Docid base = 0;
  TopK top;
  std::uint64_t count = 0;
  std::vector<index::Docid> docids;
  /// What the pruned search gives instead of `top`: rank keys, best first.
  std::vector<std::uint64_t> ranked;
  // As in Report:
  std::uint64_t tiles_decoded = 0;
  std::uint64_t ranges_total = 0;
  std::uint64_t ranges_searched = 0;
  std::uint64_t documents_scored = 0;
  /// Without what the back end keeps. What is of the whole segment is counted by the task that has
  /// its first document.
  FilterCounters filter = {};
};

/// A range of documents of a segment: begin <= docid < end.
struct DocidRange {
  index::Docid begin;
  index::Docid end;
};

}  // namespace gannet::query
