// Marks of lists by the clauses of their plan. Host code; needs no GPU.
#pragma once

#include <cstdint>
#include <span>

#include "query/gpu/plan/pruned/tables.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query::cuda {

/// Sets PrunedTerm::clause. `terms`: those of the plan that a segment has, in the order of the
/// plan; `ids`: the numbers of the plan's terms in the segment. A clause whose terms do not follow
/// one another, or that shares a term with one before it, gets no marks: the kernels then rule out
/// less.
void mark_clauses(const Plan& plan, std::span<const index::TermId> ids,
                  std::span<PrunedTerm> terms);

}  // namespace gannet::query::cuda
