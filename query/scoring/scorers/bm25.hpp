// BM25. Source: Robertson, Walker, Jones, Hancock-Beaulieu, Gatford, "Okapi at TREC-3", 1994; its
// variants: Kamphuis, de Vries, Boytsov, Lin, "Which BM25 Do You Mean?", ECIR 2020.
#pragma once

#include <array>

#include "codecs/core/rounding.hpp"
#include "query/scoring/base/concepts.hpp"
#include "query/scoring/base/idf.hpp"

namespace gannet::query {

/// weight * idf * (k1 + 1) * tf / (tf + k1 * (1 - b + b * length / average length)).
///
/// `idf`: Lucene's, which is > 0, or Robertson's, whose values below 0 are clipped. `norm`:
/// Robertson's has the factor k1 + 1, Lucene's (since release 8) leaves it out.
struct Bm25 {
  static constexpr ScorerId id = ScorerId::kBm25;
  static constexpr std::string_view name = "bm25";
  static constexpr std::string_view summary = "BM25 (Robertson et al. 1994)";
  static constexpr std::string_view formula = "factor * tf / (tf + plan.a + plan.b * length)";
  static constexpr std::array parameters{ScorerParameter{"k1", 0.9f, 0, 1e9f},
                                         ScorerParameter{"b", 0.4f, 0, 1},
                                         ScorerParameter{"idf", 0, 0, 1, "lucene,robertson"},
                                         ScorerParameter{"norm", 0, 0, 1, "robertson,lucene"}};
  static constexpr bool monotone = true;
  static constexpr bool needs_occurrences = false;
  static constexpr bool adds_idf = true;

  /// a = k1 * (1 - b), b = k1 * b / average length, or 0 if that is 0.
  static PlanConstants plan_constants(const ScorerValues& values,
                                      const CollectionStatistics& collection) {
    const double k1 = values[0];
    const double b = values[1];
    const double average = collection.average_length();
    return {id, static_cast<float>(k1 * (1.0 - b)),
            static_cast<float>(average > 0 ? k1 * b / average : 0.0)};
  }

  static TermConstants term_constants(const ScorerValues& values,
                                      const CollectionStatistics& collection,
                                      const TermStatistics& term, float weight) {
    const double idf =
        values[2] == 0 ? lucene_idf(collection, term) : robertson_idf(collection, term);
    const double factor = values[3] == 0 ? double{values[0]} + 1.0 : 1.0;
    const PlanConstants plan = plan_constants(values, collection);
    const double divisor = 1.0 + double{plan.a} + double{plan.b} * kLengthLimit;
    return {static_cast<float>(clipped_factor(idf * factor, divisor) * double{weight}), 0, 0};
  }

  static ConstantScore constant_score(float weight) { return {{id, 0, 0}, {weight, 0, 0}}; }

  /// factor * tf / (tf + a + b * length).
  GANNET_HD static float contribution(const PlanConstants& plan, const TermConstants& term,
                                      std::uint32_t frequency, std::uint32_t length) {
    using codecs::rounded_add;
    using codecs::rounded_div;
    using codecs::rounded_mul;
    const auto tf = static_cast<float>(frequency);
    const float k = rounded_add(plan.a, rounded_mul(plan.b, static_cast<float>(length)));
    return rounded_div(rounded_mul(term.factor, tf), rounded_add(tf, k));
  }
};

}  // namespace gannet::query
