// DPH, divergence from randomness: hypergeometric, Popper's normalisation, without parameters.
// Source: Amati, Ambrosi, Bianchi, Gaibisso, Gambosi, "FUB, IASI-CNR and University of Tor Vergata
// at TREC 2007 Blog Track", TREC 2007; as in Terrier and PISA.
#pragma once

#include <algorithm>
#include <array>

#include "codecs/core/rounding.hpp"
#include "query/scoring/base/concepts.hpp"
#include "query/scoring/base/log2.hpp"

namespace gannet::query {

/// weight * (1 - f)^2 / (tf + 1) * (tf * log2(tf * average length / length * N / occurrences) +
/// log2(2 pi tf (1 - f)) / 2), with f = tf / length and the occurrences in the collection. Below 0
/// for terms that occur about as often as chance has it, which is clipped, and so are documents
/// of nothing but the term.
struct Dph {
  static constexpr ScorerId id = ScorerId::kDph;
  static constexpr std::string_view name = "dph";
  static constexpr std::string_view summary =
      "divergence from randomness, DPH, without parameters (Amati et al. 2007)";
  static constexpr std::string_view formula =
      "factor * max((1 - f)^2 / (tf + 1) * (tf * log2(f * term.a) + "
      "log2(2 * pi * tf * (1 - f)) / 2), 1e-30), with f = tf / max(length, 1)";
  static constexpr std::array<ScorerParameter, 0> parameters{};
  /// Short documents can be of too little else.
  static constexpr bool monotone = false;
  static constexpr bool needs_occurrences = true;
  static constexpr bool adds_idf = false;

  /// a: what lengths are multiplied by; b: what a contribution is at least.
  static PlanConstants plan_constants(const ScorerValues&, const CollectionStatistics&) {
    return {id, 1, kMinContribution};
  }

  /// a = average length * N / occurrences = tokens / occurrences.
  static TermConstants term_constants(const ScorerValues&, const CollectionStatistics& collection,
                                      const TermStatistics& term, float weight) {
    const double tokens = std::max(1.0, static_cast<double>(collection.tokens));
    const double occurrences = std::max(1.0, static_cast<double>(term.occurrences));
    return {weight, static_cast<float>(tokens / occurrences), 0};
  }

  /// Every document counts as one of one token, for which there is but the least contribution.
  static ConstantScore constant_score(float weight) { return {{id, 0, 1}, {weight, 1, 0}}; }

  /// factor * (1 - f)^2 / (tf + 1) * (tf * log2(f * a) + log2(2 pi tf (1 - f)) / 2).
  GANNET_HD static float contribution(const PlanConstants& plan, const TermConstants& term,
                                      std::uint32_t frequency, std::uint32_t length) {
    using codecs::rounded_add;
    using codecs::rounded_div;
    using codecs::rounded_mul;
    constexpr float kTwoPi = 6.28318531f;
    const auto tf = static_cast<float>(frequency);
    const float tokens = rounded_mul(plan.a, static_cast<float>(length));
    const float f = rounded_div(tf, at_least(tokens, 1));
    const float others = rounded_add(1, -f);
    const float norm = rounded_div(rounded_mul(others, others), rounded_add(tf, 1));
    const float surprise = rounded_mul(tf, rounded_log2(rounded_mul(f, term.a)));
    const float spread =
        rounded_mul(0.5f, rounded_log2(rounded_mul(kTwoPi, rounded_mul(tf, others))));
    const float gain = rounded_mul(norm, rounded_add(surprise, spread));
    return rounded_mul(term.factor, at_least(others > 0 ? gain : 0, plan.b));
  }
};

}  // namespace gannet::query
