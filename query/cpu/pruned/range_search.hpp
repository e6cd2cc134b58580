// Searching one range of 64 documents.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "query/bounds/word_in_text.hpp"
#include "query/cpu/pruned/kernels.hpp"
#include "query/cpu/pruned/pruned_part.hpp"
#include "query/cpu/pruned/rising_top.hpp"
#include "query/cpu/pruned/score_scale.hpp"

namespace gannet::query {

/// Searches ranges of a plan's documents, one part after the other, and keeps the threshold. The
/// terms' lists are rewound before a part is entered again.
class RangeSearch {
 public:
  RangeSearch(const Plan& plan, const PrunedKernels& kernels, const ScoreScale& scale,
              RisingTop& top, std::atomic<std::uint32_t>& floor);

  /// Goes to a part, which must outlive the visits.
  void enter(const PrunedPart& part);

  /// The lowest sum of bounds that is worth a visit.
  std::uint32_t limit() const { return limit_; }

  /// Searches a range of the segment of the part that was entered, whose bounds add up to `sum`;
  /// ranges come in ascending order. `flags`: as PrunedTerm::bound() has it.
  void visit(std::uint32_t range, std::uint32_t sum, std::uint32_t flags);

  std::uint64_t ranges() const { return ranges_; }
  std::uint64_t documents() const { return documents_; }

 private:
  struct Chosen;

  std::uint64_t candidates(std::uint32_t range, std::uint32_t sum, std::uint32_t flags);
  std::uint64_t matches(std::uint32_t range, std::uint64_t possible);
  void score(std::uint32_t range, std::uint64_t documents);
  void add_contributions(PrunedTerm& term, index::Docid first, std::uint64_t documents);
  void add_word(const PrunedWord& word, index::Docid first, std::uint64_t documents);
  void meet_floor();

  const PrunedKernels& kernels_;
  const Plan& plan_;
  const ScoreScale& scale_;
  RisingTop& top_;
  std::atomic<std::uint32_t>& floor_;
  std::uint32_t limit_;
  const PrunedPart* part_ = nullptr;
  // Of the part:
  const PlanBitmaps* bitmaps_ = nullptr;
  const std::uint32_t* lengths_ = nullptr;
  std::uint64_t ranges_ = 0;
  std::uint64_t documents_ = 0;
  alignas(64) std::array<std::uint16_t, kRange> sums_{};  ///< of the documents of a range
  /// Those of a range that are scored.
  struct Candidates {
    std::uint32_t count;
    std::uint8_t bits[kRange];
    std::uint32_t lengths[kRange];
    float scores[kRange];
  };
  Candidates candidates_;
  std::array<WordSum, kRange> words_;  ///< of the candidates
  ScoreRun run_;
};

}  // namespace gannet::query
