// Planning the queries of a batch in parallel, equal ones once.
#pragma once

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "query/plan/plan.hpp"
#include "query/plan/query.hpp"

namespace gannet::query {

/// What `plan` makes of each query, in the order of the queries, on the calling thread's TBB arena.
/// `plan` is called by several threads at the same time. Throws what it throws for the first query
/// for which it throws, CancelledError after a stop request, for which calls of `plan` ask the
/// token of their StopScope.
std::vector<Plan> plan_batch(std::span<const Query> queries,
                             const std::function<Plan(const Query&)>& plan,
                             const std::stop_token& stop);

}  // namespace gannet::query
