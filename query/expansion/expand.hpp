// Expanding a batch of plans: a first pass, the terms of its best documents, new plans.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/backend/backend.hpp"
#include "query/options/expansion.hpp"
#include "query/plan/plan.hpp"
#include "query/results/expansion_report.hpp"

namespace gannet::query {

/// See Searcher::expand(). Uses the threads of the calling thread's TBB arena for all but the first
/// pass. `index` is the backend's.
std::vector<Plan> expand_plans(const Backend& backend, const index::Index& index,
                               std::span<const Plan> plans, const Expansion& expansion,
                               const SearchOptions& options, ExpansionReport& report);

}  // namespace gannet::query
