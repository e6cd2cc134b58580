// What a scorer is.
//
// A score is the sum of contributions of the query's terms. A scorer is a struct with static
// members that says how a contribution follows from statistics, frequency and length. It is
// registered by one line in all.hpp, where its contract is asserted; nothing else in the library
// knows scorers by name but their ids.
//
// Contributions are float32; every operation is rounded on its own (codecs/core/rounding.hpp), so
// that both processors give the same bits; logarithms are rounded_log2(). What does not depend on
// the posting is computed on the host, in double, and rounded once.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>

#include "query/scoring/base/constants.hpp"
#include "query/scoring/base/statistics.hpp"

namespace gannet::query {

/// Members:
///   - id, name, summary: see ScorerInfo;
///   - formula: contribution() as text, for explanations, of the names `factor`, `term.a`,
///   `term.b`,
///     `plan.a`, `plan.b`, `tf` and `length`; ", with x = ..." may define another one;
///   - parameters: an array of ScorerParameter, no more than kMaxScorerParameters;
///   - monotone: contribution() grows with the frequency and falls with the length, but for its
///     last bits (a relative 2^-20);
///   - needs_occurrences, adds_idf: see ScorerInfo;
///   - plan_constants(values, collection): `scorer` is id;
///   - term_constants(values, collection, term, weight): for a query weight > 0;
///   - constant_score(weight): constants with which contribution() is exactly `weight` > 0 for
///     frequency 1 and any length;
///   - contribution(plan, term, frequency, length): > 0 for any frequency >= 1 and any length, and
///     proportional to the query's weight of the term but for its last bits. It is inlined into
///     loops over postings and runs on the GPU: straight code without tables.
/// All are pure. The statistics of a term may be 0 and those of a collection too.
template <class S>
concept Scorer = requires(const ScorerValues& values, const CollectionStatistics& collection,
                          const TermStatistics& statistics, const PlanConstants& plan,
                          const TermConstants& term, std::uint32_t n) {
  requires std::same_as<decltype(S::id), const ScorerId>;
  requires std::same_as<decltype(S::monotone), const bool>;
  requires std::same_as<decltype(S::needs_occurrences), const bool>;
  requires std::same_as<decltype(S::adds_idf), const bool>;
  { S::name } -> std::convertible_to<std::string_view>;
  { S::summary } -> std::convertible_to<std::string_view>;
  { S::formula } -> std::convertible_to<std::string_view>;
  {std::span<const ScorerParameter>(S::parameters)};
  requires S::parameters.size() <= kMaxScorerParameters;
  { S::plan_constants(values, collection) } -> std::same_as<PlanConstants>;
  { S::term_constants(values, collection, statistics, 1.0f) } -> std::same_as<TermConstants>;
  { S::constant_score(1.0f) } -> std::same_as<ConstantScore>;
  { S::contribution(plan, term, n, n) } -> std::same_as<float>;
};

}  // namespace gannet::query
