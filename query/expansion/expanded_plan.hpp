// The plan of a query that was expanded.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "index/index.hpp"
#include "query/options/expansion.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// A term that feedback gave, with its weight in r (expansion.hpp).
struct ExpansionTerm {
  std::string text;
  std::uint64_t document_frequency = 0;
  double weight = 0;
};

/// The plan with the terms and weights of both: first the plan's terms in their order, then new
/// ones in theirs. A bag of words (an OR of all its terms, without operators) stays one; others
/// match what they matched, new terms only add to the score. Terms of the plan that are not scored
/// stay so. Weights that are too small for a plan are 0, but for those of the plan's own terms,
/// which are at least kMinWeight as long as the query counts at all. Bound to `index`, which the
/// plan was made for.
Plan expanded_plan(const index::Index& index, const Plan& plan, const Expansion& expansion,
                   std::span<const ExpansionTerm> terms);

}  // namespace gannet::query
