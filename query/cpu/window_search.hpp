// Ranked plans that no single term can drive (OR, negations): windows of documents, term by term.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "query/cpu/collector.hpp"
#include "query/cpu/plan_bitmaps.hpp"
#include "query/plan/plan.hpp"
#include "query/postings/posting_stream.hpp"

namespace gannet::query {

/// Documents whose scores are accumulated together: their accumulators stay in the processor's near
/// caches.
inline constexpr std::uint32_t kScoreWindow = 1u << 14;
// Threads that search parts of a segment set bytes of their own.
static_assert(kScoreWindow % DocumentBitmap::kStretch == 0);

/// The dense arrays of one window. Blocks of 64 documents that no posting touched are neither read
/// nor cleared.
class Accumulators {
 public:
  static constexpr std::uint32_t kBlocks = kScoreWindow / 64;

  Accumulators() { scores_.fill(-0.0f); }

  /// Makes room for the bitmaps of `rows` terms.
  void use_rows(std::uint32_t rows) {
    const std::size_t words = std::size_t{rows} * kBlocks;
    if (bits_.size() < words) bits_.resize(words);
    rows_ = rows;
  }

  /// Scores start at -0: adding to it gives what adding to 0 gives, and it marks a document that
  /// has no score yet.
  float& score(std::uint32_t slot) { return scores_[slot]; }
  /// The bitmap of the documents that have the term of a row.
  std::uint64_t* row(std::uint32_t row) { return bits_.data() + std::size_t{row} * kBlocks; }
  const float* scores(std::uint32_t block) const {
    return scores_.data() + std::size_t{block} * 64;
  }

  void touch(std::uint32_t slot) { touched_[slot / 64] = 1; }
  bool touched(std::uint32_t block) const { return touched_[block] != 0; }

  void clear_block(std::uint32_t block) {
    if (!touched(block)) return;
    std::fill_n(scores_.begin() + std::ptrdiff_t{block} * 64, 64, -0.0f);
    for (std::uint32_t i = 0; i < rows_; ++i) row(i)[block] = 0;
    touched_[block] = 0;
  }

 private:
  alignas(64) std::array<float, kScoreWindow> scores_;
  alignas(64) std::array<std::uint8_t, kBlocks> touched_{};
  std::vector<std::uint64_t> bits_;  ///< a row of kBlocks words per term
  std::uint32_t rows_ = 0;
};

/// Collects the hits of `plan`, which wants them, among the documents of `range` (begin a multiple
/// of kScoreWindow). `ids`: the numbers of the plan's terms in the segment; `bitmaps`: its filter
/// and predicates there. Windows in which no document passes the filter are skipped. Looks at
/// `stop` once a window: throws CancelledError.
void search_windows(const index::Segment& segment, const Plan& plan,
                    std::span<const index::TermId> ids, const PlanBitmaps& bitmaps,
                    DocidRange range, const std::stop_token& stop, Accumulators& accumulators,
                    Collector& collector);

}  // namespace gannet::query
