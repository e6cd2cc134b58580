// Marks of lists by the clauses of their plan. Host code; needs no GPU.
#pragma once

#include <cstdint>
#include <span>

#include "query/gpu/plan/assign.hpp"
#include "query/gpu/plan/pruned/tables.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query::cuda {

/// Sets the kClauseMarks of PrunedTerm::clause. `terms`: the lists of the plan that a segment has;
/// `numbers`: of each term of the plan, the number of its first list among them, kNone where the
/// segment has none. A clause whose lists do not follow one another, or that shares a list with one
/// before it, gets no marks: the kernels then rule out less.
void mark_clauses(const Plan& plan, const ListNumbers& numbers, std::span<PrunedTerm> terms);

}  // namespace gannet::query::cuda
