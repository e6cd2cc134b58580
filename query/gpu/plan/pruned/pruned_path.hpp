// How the GPU searches for a plan's k best hits. Host code; needs no GPU.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "query/plan/plan.hpp"

namespace gannet::query::cuda {

/// How the queries of a batch are searched.
enum class PrunedPath {
  kBounds,   ///< ranges of documents are skipped whose bounds are too small
  kWindows,  ///< every posting is scored
};

/// The path of a plan in segments that have `present` of its lists (count_lists()) together.
/// Nothing if the pruned search cannot run it. Both paths need a plan that asks for 1 to
/// tuning::kMaxPrunedHits hits and whose matches all have a scored term.
/// kBounds: plans of at most kMaxPrunedTerms lists.
/// kWindows: disjunctions of at most kMaxWindowTerms lists, without words(), where this is
/// estimated to be faster. Thread-safe; constant time.
std::optional<PrunedPath> pruned_path(const Plan& plan, std::size_t present);
/// pruned_path() in the segments where the plan's terms have the numbers `ids`: one span per
/// segment, one number per term. Takes lists * segments steps.
std::optional<PrunedPath> pruned_path(const Plan& plan,
                                      std::span<const std::span<const index::TermId>> ids);

}  // namespace gannet::query::cuda
