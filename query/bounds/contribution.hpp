// What a posting adds to its document's score: the one place where the pruned search asks the
// scorer.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "query/bounds/score_run.hpp"
#include "query/bounds/word_in_text.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// The contributions of one term of a plan: a function of term frequency and document length that
/// is > 0 and, but for its last bits, proportional to the query's weight of the term.
///
/// Those of a word of BM25F in one of its texts are what a document gets that has the word in no
/// other text. What it gets for several together is at least each of them, and at most their sum,
/// since frequencies add up before they are saturated.
class Contribution {
 public:
  Contribution() = default;
  explicit Contribution(const PlanTerm& term)
      : Contribution(term, term.constants, statistics_of(term), term.weight) {}
  /// Of a word in a text: proportional to the word's factor.
  Contribution(const Plan& plan, const WordTerm& text, float factor)
      : Contribution(plan.terms()[text.term], {factor, 0, 0}, {}, factor) {
    text_weight_ = text.weight;
  }

  /// The same at weight 1: what bounds are made of.
  static Contribution unit(const Plan& plan, const PlanTerm& term) {
    const TermConstants constants =
        term.constant     ? constant_score(term.shared.scorer, 1.0f).term
        : term.adds_idf() ? term.of_words
                          : query::term_constants(plan.scorer_of(term), plan.collection_of(term),
                                                  statistics_of(term), 1.0f);
    return {term, constants, statistics_of(term), 1.0f};
  }
  /// The same for a word in a text.
  static Contribution unit(const Plan& plan, const WordTerm& text) { return {plan, text, 1.0f}; }

  float operator()(std::uint32_t frequency, std::uint32_t length) const {
    if (text_weight_ == 1) return contribution(plan_, term_, frequency, length);
    return score_alone(term_.factor, text_weight_, plan_.a, plan_.b, frequency, length);
  }
  /// Scores the first `n` postings of a run.
  void score(ScoreRun& run, std::uint32_t n) const {
    if (text_weight_ == 1) return run.score(n, plan_, term_);
    for (std::uint32_t i = 0; i < n; ++i) {
      run.scores[i] = score_alone(term_.factor, text_weight_, plan_.a, plan_.b, run.frequencies[i],
                                  run.lengths[i]);
    }
  }

  float weight() const { return weight_; }
  /// Those of the term in the collection; zeroes for a word in a text.
  const TermStatistics& statistics() const { return statistics_; }
  /// statistics() of a term's contributions. Of a phrase whose idf is the sum of its words': what
  /// its contributions at weight 1 follow from, which no term has as statistics.
  static TermStatistics statistics_of(const PlanTerm& term) {
    if (term.adds_idf()) {
      const auto bits = [](float value) {
        return std::uint64_t{std::bit_cast<std::uint32_t>(value)};
      };
      const TermConstants& unit = term.of_words;
      return {bits(unit.factor) << 32 | bits(unit.a), std::uint64_t{1} << 63 | bits(unit.b)};
    }
    return {term.document_frequency, std::max(term.document_frequency, term.collection_frequency)};
  }
  /// The text whose lengths it is of.
  std::uint32_t text() const { return text_; }
  const PlanConstants& plan_constants() const { return plan_; }
  /// plan_constants() with the weight of a word's text in them: a scorer's contribution() of these
  /// and of term_constants() is this one, but for its last bits.
  PlanConstants weighted_constants() const {
    return {plan_.scorer, plan_.a / text_weight_, plan_.b / text_weight_};
  }
  const TermConstants& term_constants() const { return term_; }
  /// Contributions are between `least` and `most` times those of `unit`; nothing if the two do not
  /// compare. For plans of the same scorer and collection, both or neither of words.
  struct Multiple {
    double least;
    double most;
  };
  std::optional<Multiple> multiple_of(const Contribution& unit) const {
    if (statistics_ != unit.statistics_) return std::nullopt;
    // The weight of a text is saturated together with the frequency.
    const double heavier = double{text_weight_} / double{unit.text_weight_};
    return Multiple{double{weight_} * std::min(heavier, 1.0),
                    double{weight_} * std::max(heavier, 1.0)};
  }

 private:
  Contribution(const PlanTerm& term, const TermConstants& constants,
               const TermStatistics& statistics, float weight)
      : plan_(term.shared),
        term_(constants),
        statistics_(statistics),
        weight_(weight),
        text_(term.field) {}

  PlanConstants plan_;
  TermConstants term_;
  TermStatistics statistics_;
  float weight_ = 0;
  float text_weight_ = 1;  ///< of a word's text
  std::uint32_t text_ = index::kMainText;
};

}  // namespace gannet::query
