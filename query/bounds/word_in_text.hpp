// The constants of BM25F's words, as they follow from a plan.
#pragma once

#include "query/plan/plan.hpp"
#include "query/scoring/scorer.hpp"
#include "query/scoring/word_score.hpp"

namespace gannet::query {

/// The constants of a word in one of its texts.
inline WordInText word_in_text(const Plan& plan, const WordTerm& term) {
  const PlanTerm& plan_term = plan.terms()[term.term];
  const double text_b = plan.scorer_of(plan_term).values[1];
  const double average = plan.collection_of(plan_term).average_length();
  WordInText made;
  made.weight = term.weight;
  made.least = static_cast<float>(1.0 - text_b);
  made.slope = static_cast<float>(average > 0 ? text_b / average : 0.0);
  made.a = plan_term.shared.a;
  made.b = plan_term.shared.b;
  return made;
}

/// What the scores of a word are a multiple of. A word of a constant term has no other term.
inline float word_factor(const Plan& plan, const QueryWord& word) {
  const PlanTerm& first = plan.terms()[word.terms.front().term];
  if (first.constant) return word.weight;
  const TermStatistics statistics{word.document_frequency, word.document_frequency};
  return term_constants(plan.scorer_of(first), plan.collection_of(first), statistics, word.weight)
      .factor;
}

}  // namespace gannet::query
