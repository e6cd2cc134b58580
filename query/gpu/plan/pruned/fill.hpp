// The last step of packing: scaled plans are written into the tables of a batch. Host code; needs
// no GPU.
#pragma once

#include "query/gpu/plan/pruned/scale.hpp"

namespace gannet::query::cuda {

/// Writes a usable plan into the tables of a batch, behind plans that take `before`. Thread-safe
/// for different plans. Takes as many steps as the plan has terms and nodes in all segments.
void fill_plan(const ScaledPlan& plan, const PrunedSizes& before, const PrunedBatch& batch);

}  // namespace gannet::query::cuda
