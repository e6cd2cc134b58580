// BM25+: BM25 in which a document that has the term gets at least delta for it, however long it is.
// Source: Lv, Zhai, "Lower-Bounding Term Frequency Normalization", CIKM 2011, (13).
#pragma once

#include <array>

#include "codecs/core/rounding.hpp"
#include "query/scoring/base/concepts.hpp"
#include "query/scoring/base/idf.hpp"
#include "query/scoring/scorers/bm25.hpp"

namespace gannet::query {

/// weight * idf * ((k1 + 1) * tf / (tf + k1 * (1 - b + b * length / average length)) + delta), with
/// idf = ln((N + 1) / df).
struct Bm25Plus {
  static constexpr ScorerId id = ScorerId::kBm25Plus;
  static constexpr std::string_view name = "bm25plus";
  static constexpr std::string_view summary = "BM25+ (Lv and Zhai 2011)";
  static constexpr std::string_view formula =
      "factor * tf / (tf + plan.a + plan.b * length) + term.a";
  static constexpr std::array parameters{ScorerParameter{"k1", 0.9f, 0, 1e9f},
                                         ScorerParameter{"b", 0.4f, 0, 1},
                                         ScorerParameter{"delta", 1, 0, 1000}};
  static constexpr bool monotone = true;
  static constexpr bool needs_occurrences = false;
  static constexpr bool adds_idf = true;

  /// As Bm25's.
  static PlanConstants plan_constants(const ScorerValues& values,
                                      const CollectionStatistics& collection) {
    PlanConstants plan = Bm25::plan_constants(values, collection);
    plan.scorer = id;
    return plan;
  }

  /// a = what delta gives.
  static TermConstants term_constants(const ScorerValues& values,
                                      const CollectionStatistics& collection,
                                      const TermStatistics& term, float weight) {
    const double idf = plain_idf(collection, term);
    const PlanConstants plan = plan_constants(values, collection);
    const double divisor = 1.0 + double{plan.a} + double{plan.b} * kLengthLimit;
    const double factor = clipped_factor(idf * (double{values[0]} + 1.0), divisor);
    return {static_cast<float>(factor * double{weight}),
            static_cast<float>(idf * double{values[2]} * double{weight}), 0};
  }

  static ConstantScore constant_score(float weight) { return {{id, 0, 0}, {weight, 0, 0}}; }

  /// Bm25's + a.
  GANNET_HD static float contribution(const PlanConstants& plan, const TermConstants& term,
                                      std::uint32_t frequency, std::uint32_t length) {
    return codecs::rounded_add(Bm25::contribution(plan, term, frequency, length), term.a);
  }
};

}  // namespace gannet::query
