// From prepared plans to a batch of the pruned search. Host code; needs no GPU.
#pragma once

#include "query/gpu/plan/pruned/pruned_prepare.hpp"

namespace gannet::query::cuda {

/// Writes a usable plan into the tables of a batch, behind plans that take `before`. Any number of
/// threads may write different ones.
void add_pruned(const PreparedPlan& plan, const PlanConstants& scoring, const PrunedSizes& before,
                const PrunedBatch& batch);

}  // namespace gannet::query::cuda
