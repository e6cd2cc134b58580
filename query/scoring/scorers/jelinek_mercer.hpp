// Query likelihood with Jelinek-Mercer smoothing. Source: Zhai, Lafferty, "A Study of Smoothing
// Methods for Language Models Applied to Information Retrieval", TOIS 22(2), 2004, table I and
// section 3.
#pragma once

#include <array>

#include "codecs/core/rounding.hpp"
#include "query/scoring/base/concepts.hpp"
#include "query/scoring/base/log2.hpp"
#include "query/scoring/scorers/language_model.hpp"

namespace gannet::query {

/// weight * ln(1 + (1 - lambda) * tf / (lambda * p * length)), with p the term's probability in the
/// collection. Documents count as one token long or more.
struct JelinekMercer {
  static constexpr ScorerId id = ScorerId::kJelinekMercer;
  static constexpr std::string_view name = "jelinek-mercer";
  static constexpr std::string_view summary =
      "query likelihood, Jelinek-Mercer smoothing (Zhai and Lafferty 2004)";
  static constexpr std::string_view formula =
      "factor * max(log2(1 + term.a * tf / max(length, 1)), 1e-30)";
  static constexpr std::array parameters{ScorerParameter{"lambda", 0.1f, 1e-6f, 0.999999f}};
  static constexpr bool monotone = true;
  static constexpr bool needs_occurrences = true;
  static constexpr bool adds_idf = false;

  /// a: what lengths are multiplied by.
  static PlanConstants plan_constants(const ScorerValues&, const CollectionStatistics&) {
    return {id, 1, 0};
  }

  /// a = (1 - lambda) / (lambda * p); the factor is ln(2).
  static TermConstants term_constants(const ScorerValues& values,
                                      const CollectionStatistics& collection,
                                      const TermStatistics& term, float weight) {
    const double lambda = values[0];
    const double p = collection_probability(collection, term);
    return {static_cast<float>(kLn2 * double{weight}),
            static_cast<float>((1.0 - lambda) / (lambda * p)), 0};
  }

  /// Every document counts as one of one token: the logarithm is that of 1 + 1.
  static ConstantScore constant_score(float weight) { return {{id, 0, 0}, {weight, 1, 0}}; }

  /// factor * log2(1 + a * tf / length).
  GANNET_HD static float contribution(const PlanConstants& plan, const TermConstants& term,
                                      std::uint32_t frequency, std::uint32_t length) {
    using codecs::rounded_mul;
    const float tokens = at_least(rounded_mul(plan.a, static_cast<float>(length)), 1);
    const float odds =
        codecs::rounded_div(rounded_mul(term.a, static_cast<float>(frequency)), tokens);
    const float bits = rounded_log2_1p(odds);
    return rounded_mul(term.factor, at_least(bits, kMinContribution));
  }
};

}  // namespace gannet::query
