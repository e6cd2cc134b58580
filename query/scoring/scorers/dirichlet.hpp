// Query likelihood with Dirichlet smoothing. Source: Zhai, Lafferty, "A Study of Smoothing Methods
// for Language Models Applied to Information Retrieval", TOIS 22(2), 2004, table I and section 3.
#pragma once

#include <array>

#include "codecs/core/rounding.hpp"
#include "query/scoring/base/concepts.hpp"
#include "query/scoring/base/log2.hpp"
#include "query/scoring/scorers/language_model.hpp"

namespace gannet::query {

/// weight * (ln(1 + tf / (mu * p)) + ln(mu / (length + mu))), with p the term's probability in the
/// collection, and only of terms that the document has, as in Lucene and PISA: below 0 in documents
/// that have the term less often than chance, which is clipped.
struct Dirichlet {
  static constexpr ScorerId id = ScorerId::kDirichlet;
  static constexpr std::string_view name = "dirichlet";
  static constexpr std::string_view summary =
      "query likelihood, Dirichlet smoothing (Zhai and Lafferty 2004)";
  static constexpr std::string_view formula =
      "factor * max(log2((1 + tf * term.a) / (1 + length * plan.a)), 1e-30)";
  static constexpr std::array parameters{ScorerParameter{"mu", 1000, 0.001f, 1e9f}};
  static constexpr bool monotone = true;
  static constexpr bool needs_occurrences = true;
  static constexpr bool adds_idf = false;

  /// a = 1 / mu.
  static PlanConstants plan_constants(const ScorerValues& values, const CollectionStatistics&) {
    return {id, static_cast<float>(1.0 / double{values[0]}), 0};
  }

  /// a = 1 / (mu * p); the factor is ln(2).
  static TermConstants term_constants(const ScorerValues& values,
                                      const CollectionStatistics& collection,
                                      const TermStatistics& term, float weight) {
    const double p = collection_probability(collection, term);
    return {static_cast<float>(kLn2 * double{weight}),
            static_cast<float>(1.0 / (double{values[0]} * p)), 0};
  }

  /// The logarithm is that of (1 + 1) / 1.
  static ConstantScore constant_score(float weight) { return {{id, 0, 0}, {weight, 1, 0}}; }

  /// factor * log2((1 + tf * term.a) / (1 + length * plan.a)).
  GANNET_HD static float contribution(const PlanConstants& plan, const TermConstants& term,
                                      std::uint32_t frequency, std::uint32_t length) {
    using codecs::rounded_add;
    using codecs::rounded_mul;
    const float seen = rounded_add(1, rounded_mul(static_cast<float>(frequency), term.a));
    const float expected = rounded_add(1, rounded_mul(static_cast<float>(length), plan.a));
    const float bits = rounded_log2(codecs::rounded_div(seen, expected));
    return rounded_mul(term.factor, at_least(bits, kMinContribution));
  }
};

}  // namespace gannet::query
