// Searching one range of 64 documents.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <span>

#include "query/host/pruned/pruned_search.hpp"
#include "query/host/pruned/score_scale.hpp"

namespace gannet::query {

/// Searches ranges of a plan's documents, in ascending order between two calls of rewind(), and
/// keeps the threshold.
class RangeSearch {
 public:
  /// `scored`: terms with contributions, in the order in which they are looked at, required ones
  /// first; `others`: those that only decide. All have a map once a range is entered.
  struct Terms {
    std::span<PrunedTerm* const> scored;
    std::span<PrunedTerm* const> others;
    /// Scored terms in the plan's order: contributions are added so.
    std::span<PrunedTerm* const> in_plan_order;
    /// By the plan's numbers; null where the segment has no such term.
    std::span<PrunedTerm* const> by_number;
  };

  RangeSearch(const PrunedPlace& place, const Plan& plan, const Terms& terms,
              const ScoreScale& scale, RisingTop& top, index::Docid docid_base,
              std::atomic<std::uint32_t>& floor);

  /// The lowest sum of bounds that is worth a visit.
  std::uint32_t limit() const { return limit_; }

  /// Searches a range whose bounds add up to `sum`. `flags`: as PrunedTerm::bound() has it.
  void visit(std::uint32_t range, std::uint32_t sum, std::uint32_t flags);

  std::uint64_t ranges() const { return ranges_; }
  std::uint64_t documents() const { return documents_; }

 private:
  /// How the expression is told to hold.
  enum class Matching { kAny, kAll, kEvaluate };
  static Matching matching_of(const Plan& plan);

  std::uint64_t candidates(std::uint32_t range, std::uint32_t sum, std::uint32_t flags);
  std::uint64_t matches(std::uint32_t range, std::uint64_t possible);
  void score(std::uint32_t range, std::uint64_t documents);
  void add_contributions(PrunedTerm& term, index::Docid first, std::uint64_t chosen,
                         std::uint64_t documents);
  void meet_floor();

  const PrunedKernels& kernels_;
  const PlanBitmaps& bitmaps_;
  const std::uint32_t* lengths_;
  const Plan& plan_;
  const Matching matching_;
  const Terms terms_;
  const ScoreScale& scale_;
  RisingTop& top_;
  const index::Docid docid_base_;
  std::atomic<std::uint32_t>& floor_;
  std::uint32_t limit_;
  std::uint64_t ranges_ = 0;
  std::uint64_t documents_ = 0;
  alignas(64) std::array<std::uint16_t, kRange> sums_{};  ///< of the documents of a range
  /// Those of a range that are scored.
  struct Candidates {
    std::uint8_t bits[kRange];
    std::uint32_t lengths[kRange];
    float scores[kRange];
  };
  Candidates candidates_;
  ScoreRun run_;
};

}  // namespace gannet::query
