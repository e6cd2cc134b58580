// A batch of ranked plans that are searched window by window, as the kernel sees it: plain structs
// in device memory, filled in by rank_compiler.cpp and rank_batch.cpp.
//
// A thread block takes items: a query in some windows of documents that follow one another. In a
// window, the steps of ../matching/tables.hpp leave the documents that match, or may match; then
// the contributions of lists are added up in shared memory, list by list in the plan's order.
#pragma once

#include <cstdint>

#include "query/gpu/plan/matching/tables.hpp"
#include "query/scoring/word_score.hpp"

namespace gannet::query::cuda {

/// A list whose contributions are part of scores. PrunedTerm and this are read by the same code.
struct RankList : ListLocation {
  const std::uint32_t* lengths;      ///< of the documents' text
  const std::uint32_t* max_freqs;    ///< at least the largest frequency of each tile; null: unknown
  const std::uint32_t* min_lengths;  ///< at most the least length of each tile; null: unknown
  PlanConstants scoring;
  TermConstants constants;
  WordInText in_text;   ///< BM25F: of the word in this text; its factor is constants.factor
  std::uint32_t word;   ///< BM25F: lists of a word have one number; else kNone
  std::uint32_t alone;  ///< BM25F: 1 if the segment has no other list of the word
};

/// One plan of the batch in the batch's segment. MatchQuery of the same number has its steps.
struct RankQuery {
  std::uint64_t first_list;  ///< of RankView::lists
  std::uint32_t lists;
  std::uint32_t may_row;   ///< only documents of this row can match; kNone: all can
  std::uint32_t row;       ///< documents of this row match; kNone: there is none
  std::uint32_t by_score;  ///< 1: documents with a score match too, if they can
  std::uint32_t k;
  float k1;                      ///< of BM25F
  std::uint64_t first_finalist;  ///< of its finalists; k for each item
  std::uint64_t below;           ///< rank keys of results are below, with docids of the segment
};

/// Which kernel queries need.
struct RankKind {
  bool words;         ///< scores are sums over words of several texts: BM25F
  bool usual_scorer;  ///< scored by one of UsualScorers (scoring/all.hpp)
  bool operator==(const RankKind&) const = default;
};

/// A part of a query's work: windows [begin, end).
struct RankItem {
  std::uint32_t query;
  std::uint32_t begin;
  std::uint32_t end;
};

/// Where a thread block stands in a list.
struct alignas(16) RankCursor {
  std::uint32_t tile;    ///< the first one that ends in the window or behind it
  std::uint32_t inside;  ///< tiles from there on that end in the window
  std::uint32_t tasks;   ///< tiles from there on that may have documents of the window
  std::uint32_t next;    ///< the list has no document from the window's begin to before this one
};

/// What a launch needs. Its queries have windows of one size.
struct RankView {
  MatchView match;  ///< the steps; nothing is counted but tiles
  const RankQuery* queries;
  const RankList* lists;
  const RankItem* items;      ///< in the order in which they are handed out
  std::uint32_t items_begin;  ///< this launch runs items [begin, end)
  std::uint32_t items_end;
  std::uint32_t* next;       ///< the queue's head; items_begin before the launch
  std::uint32_t use_bounds;  ///< 1: windows are left out that cannot reach the threshold

  std::uint64_t* thresholds;  ///< by query: a rank key that k documents reach, or that none below
                              ///< is wanted; 0 at first, or more if other segments gave k hits
  std::uint64_t* candidates;  ///< by thread block: `capacity` rank keys
  std::uint64_t capacity;
  RankCursor* cursors;             ///< by thread block: one for each list of a query
  std::uint32_t most_lists;        ///< of any query in the batch
  std::uint32_t blocks;            ///< that there is memory for
  std::uint64_t* finalists;        ///< by query: the best candidates of its items, in any order
  std::uint32_t* finalist_counts;  ///< by query; 0 before the launch
};

/// Bytes of shared memory of a thread block, besides what has a fixed size.
constexpr std::size_t rank_bytes(bool words, std::uint32_t rows, std::uint32_t window_words) {
  const std::size_t documents = std::size_t{window_words} * 64;
  return documents * sizeof(float) * (words ? 3 : 1) + documents / 8 * rows;
}

}  // namespace gannet::query::cuda
