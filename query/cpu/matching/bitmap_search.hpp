// Matches without scores, 64 documents a word: lists that many documents have as bitmaps that are
// kept, the others read into windows of documents.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "query/bounds/list_bitmaps.hpp"
#include "query/cpu/collector.hpp"
#include "query/cpu/matching/word_kernels.hpp"
#include "query/cpu/plan_bitmaps.hpp"
#include "query/plan/plan.hpp"
#include "query/postings/posting_stream.hpp"

namespace gannet::query {

/// A list that is read into a row of the window.
struct WindowList {
  PostingStream stream;
  std::uint32_t row;
};

/// Memory that a thread reuses from search to search.
struct BitmapWorkspace {
  std::vector<WindowList> lists;
  std::vector<std::uint64_t> rows;     ///< of the window; all 0 between searches
  std::vector<std::uint64_t> results;  ///< of operators
  std::vector<const std::uint64_t*> operands;
};

/// Collects the matches of `plan`, which wants counts or docids, among the documents of `range`
/// (begin a multiple of 64, end as well or the segment's end). `ids`: the numbers of the plan's
/// terms in the segment; `kept`: the bitmaps of its lists; `bitmaps`: the plan's filter and
/// predicates there. Looks at `stop` once a window: throws CancelledError.
void search_bitmaps(const index::Segment& segment, const Plan& plan,
                    std::span<const index::TermId> ids, const KeptLists& kept,
                    const PlanBitmaps& bitmaps, DocidRange range, const WordKernels& kernels,
                    const std::stop_token& stop, BitmapWorkspace& memory, Collector& collector);

}  // namespace gannet::query
