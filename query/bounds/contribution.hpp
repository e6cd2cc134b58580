// What a posting adds to its document's score: the one place where the pruned search asks the
// scorer.
#pragma once

#include <algorithm>
#include <cstdint>

#include "query/bounds/score_run.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// The contributions of one term of a plan: a function of term frequency and document length that
/// is > 0 and, but for its last bits, proportional to the query's weight of the term.
class Contribution {
 public:
  Contribution() = default;
  Contribution(const Plan& plan, const PlanTerm& term)
      : Contribution(plan, term, term.constants, term.weight) {}

  /// The same at weight 1: what bounds are made of.
  static Contribution unit(const Plan& plan, const PlanTerm& term) {
    const TermConstants constants = query::term_constants(
        plan.scorer_of(term), plan.collection_of(term), statistics_of(term), 1.0f);
    return {plan, term, constants, 1.0f};
  }

  float operator()(std::uint32_t frequency, std::uint32_t length) const {
    return contribution(plan_, term_, frequency, length);
  }
  /// Scores the first `n` postings of a run.
  void score(ScoreRun& run, std::uint32_t n) const { run.score(n, plan_, term_); }

  float weight() const { return weight_; }
  /// The text whose lengths it is of.
  std::uint32_t text() const { return text_; }
  const PlanConstants& plan_constants() const { return plan_; }
  const TermConstants& term_constants() const { return term_; }
  /// Whether the two differ in nothing but their weights, so that bounds of one serve the other.
  /// For plans of the same scorer and collection.
  bool proportional_to(const Contribution& other) const {
    return statistics_.documents == other.statistics_.documents &&
           statistics_.occurrences == other.statistics_.occurrences;
  }

 private:
  Contribution(const Plan&, const PlanTerm& term, const TermConstants& constants, float weight)
      : plan_(term.shared),
        term_(constants),
        statistics_(statistics_of(term)),
        weight_(weight),
        text_(term.field) {}

  static TermStatistics statistics_of(const PlanTerm& term) {
    return {term.document_frequency, std::max(term.document_frequency, term.collection_frequency)};
  }

  PlanConstants plan_;
  TermConstants term_;
  TermStatistics statistics_;
  float weight_ = 0;
  std::uint32_t text_ = index::kMainText;
};

}  // namespace gannet::query
