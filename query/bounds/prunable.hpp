// Which plans can be searched by bounds.
#pragma once

#include "query/plan/plan.hpp"

namespace gannet::query {

/// Whether a pruned search can run a plan: the plan wants documents by score, and only documents
/// that have a scored term match.
bool can_prune(const Plan& plan);

}  // namespace gannet::query
