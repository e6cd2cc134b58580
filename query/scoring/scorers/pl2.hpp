// PL2, divergence from randomness: Poisson, Laplace's after-effect, normalisation 2. Source: Amati,
// van Rijsbergen, "Probabilistic Models of Information Retrieval Based on Measuring the Divergence
// from Randomness", TOIS 20(4), 2002; without 1 / (12 tfn) in Stirling's formula, as in Terrier and
// PISA.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "codecs/core/rounding.hpp"
#include "query/scoring/base/concepts.hpp"
#include "query/scoring/base/log2.hpp"

namespace gannet::query {

/// weight / (tfn + 1) * (tfn * log2(tfn / l) + (l - tfn) * log2(e) + log2(2 pi tfn) / 2), with tfn
/// = tf * log2(1 + c * average length / length) and l = occurrences in the collection / N. Below 0
/// for terms that occur about as often as chance has it, which is clipped. Documents count as one
/// token long or more.
struct Pl2 {
  static constexpr ScorerId id = ScorerId::kPl2;
  static constexpr std::string_view name = "pl2";
  static constexpr std::string_view summary =
      "divergence from randomness, PL2 (Amati and van Rijsbergen 2002)";
  static constexpr std::string_view formula =
      "factor * max((tfn * (log2(tfn) - term.a) + term.b + log2(tfn) / 2) / (tfn + 1), 1e-30), "
      "with tfn = tf * log2(1 + plan.a / max(length, 1))";
  static constexpr std::array parameters{ScorerParameter{"c", 1, 0.001f, 1e6f}};
  /// More of a term can make its frequency less surprising.
  static constexpr bool monotone = false;
  static constexpr bool needs_occurrences = true;
  static constexpr bool adds_idf = false;

  /// a = c * average length.
  static PlanConstants plan_constants(const ScorerValues& values,
                                      const CollectionStatistics& collection) {
    return {id, static_cast<float>(double{values[0]} * collection.average_length()), 0};
  }

  /// a = log2(l) + log2(e), b = l * log2(e) + log2(2 pi) / 2.
  static TermConstants term_constants(const ScorerValues&, const CollectionStatistics& collection,
                                      const TermStatistics& term, float weight) {
    const double occurrences = std::max(1.0, static_cast<double>(term.occurrences));
    const double rate = occurrences / std::max(1.0, static_cast<double>(collection.documents));
    return {weight, static_cast<float>(std::log2(rate) + kLog2E),
            static_cast<float>(rate * kLog2E + kLog2TwoPi / 2)};
  }

  /// tfn is the least there is, whatever the length: log2(tfn) / 2 is taken away again, which
  /// leaves 1 and what is lost beside it.
  static ConstantScore constant_score(float weight) {
    const float half = codecs::rounded_mul(0.5f, rounded_log2(kMinContribution));
    return {{id, 0, 0}, {weight, 0, codecs::rounded_add(1, -half)}};
  }

  /// factor * (tfn * (log2(tfn) - term.a) + term.b + log2(tfn) / 2) / (tfn + 1).
  GANNET_HD static float contribution(const PlanConstants& plan, const TermConstants& term,
                                      std::uint32_t frequency, std::uint32_t length) {
    using codecs::rounded_add;
    using codecs::rounded_div;
    using codecs::rounded_mul;
    const float tokens = at_least(static_cast<float>(length), 1);
    const float scale = rounded_log2_1p(rounded_div(plan.a, tokens));
    const float tfn = at_least(rounded_mul(static_cast<float>(frequency), scale), kMinContribution);
    const float log_tfn = rounded_log2(tfn);
    const float surprise = rounded_mul(tfn, rounded_add(log_tfn, -term.a));
    const float spread = rounded_add(term.b, rounded_mul(0.5f, log_tfn));
    const float gain = rounded_div(rounded_add(surprise, spread), rounded_add(tfn, 1));
    return rounded_mul(term.factor, at_least(gain, kMinContribution));
  }
};

}  // namespace gannet::query
