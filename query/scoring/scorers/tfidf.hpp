// TF-IDF with pivoted length normalisation. Source: Singhal, Buckley, Mitra, "Pivoted Document
// Length Normalization", SIGIR 1996, in the form of Fang, Tao, Zhai, "A Formal Study of Information
// Retrieval Heuristics", SIGIR 2004, (3).
#pragma once

#include <array>

#include "codecs/core/rounding.hpp"
#include "query/scoring/base/concepts.hpp"
#include "query/scoring/base/idf.hpp"
#include "query/scoring/base/log2.hpp"

namespace gannet::query {

/// weight * ln((N + 1) / df) * (1 + ln(1 + ln(tf))) / (1 - s + s * length / average length).
struct TfIdf {
  static constexpr ScorerId id = ScorerId::kTfIdf;
  static constexpr std::string_view name = "tfidf";
  static constexpr std::string_view summary =
      "TF-IDF with pivoted length normalisation (Singhal et al. 1996)";
  static constexpr std::string_view formula =
      "factor * (1 + ln(1 + ln(tf))) / (plan.a + plan.b * length)";
  static constexpr std::array parameters{ScorerParameter{"s", 0.2f, 0, 0.99f}};
  static constexpr bool monotone = true;
  static constexpr bool needs_occurrences = false;
  static constexpr bool adds_idf = true;

  /// a = 1 - s, b = s / average length, or 0 if that is 0.
  static PlanConstants plan_constants(const ScorerValues& values,
                                      const CollectionStatistics& collection) {
    const double s = values[0];
    const double average = collection.average_length();
    return {id, static_cast<float>(1.0 - s), static_cast<float>(average > 0 ? s / average : 0.0)};
  }

  static TermConstants term_constants(const ScorerValues& values,
                                      const CollectionStatistics& collection,
                                      const TermStatistics& term, float weight) {
    const PlanConstants plan = plan_constants(values, collection);
    const double divisor = double{plan.a} + double{plan.b} * kLengthLimit;
    const double factor = clipped_factor(plain_idf(collection, term), divisor);
    return {static_cast<float>(factor * double{weight}), 0, 0};
  }

  static ConstantScore constant_score(float weight) { return {{id, 1, 0}, {weight, 0, 0}}; }

  /// factor * (1 + ln(1 + ln(tf))) / (a + b * length).
  GANNET_HD static float contribution(const PlanConstants& plan, const TermConstants& term,
                                      std::uint32_t frequency, std::uint32_t length) {
    using codecs::rounded_add;
    using codecs::rounded_div;
    using codecs::rounded_mul;
    const float tf = one_plus_ln(one_plus_ln(static_cast<float>(frequency)));
    const float norm = rounded_add(plan.a, rounded_mul(plan.b, static_cast<float>(length)));
    return rounded_div(rounded_mul(term.factor, tf), norm);
  }
};

}  // namespace gannet::query
