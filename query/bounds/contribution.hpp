// What a posting adds to its document's score: the one place where the pruned search asks the
// scorer.
#pragma once

#include <cstdint>

#include "query/plan.hpp"
#include "query/scoring/score_run.hpp"

namespace gannet::query {

/// The contributions of one term of a plan: a function of term frequency and document length that
/// is > 0 and, but for its last bits, proportional to the term's factor.
class Contribution {
 public:
  Contribution() = default;
  Contribution(const Plan& plan, const PlanTerm& term)
      : plan_(plan.constants()), term_(term.constants) {}

  float operator()(std::uint32_t frequency, std::uint32_t length) const {
    return contribution(plan_, term_, frequency, length);
  }
  /// Scores the first `n` postings of a run.
  void score(ScoreRun& run, std::uint32_t n) const { run.score(n, plan_, term_); }

  float factor() const { return term_.factor; }
  /// The same with factor 1: what bounds are made of.
  Contribution unit() const {
    Contribution copy = *this;
    copy.term_.factor = 1.0f;
    return copy;
  }
  /// Whether the two differ in nothing but their factors, so that bounds of one serve the other.
  bool proportional_to(const Contribution& other) const {
    return plan_.scorer == other.plan_.scorer && plan_.a == other.plan_.a &&
           plan_.b == other.plan_.b && term_.a == other.term_.a && term_.b == other.term_.b;
  }

 private:
  PlanConstants plan_;
  TermConstants term_;
};

}  // namespace gannet::query
