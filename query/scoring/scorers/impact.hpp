// Impacts: the stored frequency is the weight of the term in the document, as learned sparse models
// (SPLADE, uniCOIL, DeepImpact) and quantised scores have it. Source: Anh, de Kretser, Moffat,
// "Vector-Space Ranking with Effective Early Termination", SIGIR 2001; Lin, Ma, "A Few Brief Notes
// on DeepImpact, COIL, and a Conceptual Framework for Information Retrieval Techniques", 2021.
#pragma once

#include <array>

#include "codecs/core/rounding.hpp"
#include "query/scoring/base/concepts.hpp"

namespace gannet::query {

/// weight * tf.
struct Impact {
  static constexpr ScorerId id = ScorerId::kImpact;
  static constexpr std::string_view name = "impact";
  static constexpr std::string_view summary =
      "the stored weight times the query's (learned models)";
  static constexpr std::string_view formula = "factor * tf";
  static constexpr std::array<ScorerParameter, 0> parameters{};
  static constexpr bool monotone = true;
  static constexpr bool needs_occurrences = false;
  static constexpr bool adds_idf = false;

  static PlanConstants plan_constants(const ScorerValues&, const CollectionStatistics&) {
    return {id, 0, 0};
  }

  static TermConstants term_constants(const ScorerValues&, const CollectionStatistics&,
                                      const TermStatistics&, float weight) {
    return {weight, 0, 0};
  }

  static ConstantScore constant_score(float weight) { return {{id, 0, 0}, {weight, 0, 0}}; }

  /// factor * tf.
  GANNET_HD static float contribution(const PlanConstants&, const TermConstants& term,
                                      std::uint32_t frequency, std::uint32_t) {
    return codecs::rounded_mul(term.factor, static_cast<float>(frequency));
  }
};

}  // namespace gannet::query
