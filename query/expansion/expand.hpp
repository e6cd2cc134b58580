// Expanding a batch of plans: a first pass, the terms of its best documents, new plans.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/backend/backend.hpp"
#include "query/options/expansion.hpp"
#include "query/plan/plan.hpp"
#include "query/results/results.hpp"

namespace gannet::query {

/// What expanding a batch did.
struct ExpansionReport {
  /// Of the first pass.
  Report first_pass = {};
  /// Distinct documents whose terms were gathered, and terms that they have together.
  std::uint64_t documents = 0;
  std::uint64_t terms = 0;
  /// Tiles of the lists that were looked at for them, and of them decoded.
  std::uint64_t tiles_total = 0;
  std::uint64_t tiles_decoded = 0;
  /// Of all: the first pass, gathering, weighing, planning.
  double seconds = 0;
  /// Of it, gathering.
  double gather_seconds = 0;
};

/// See Searcher::expand(). Uses the threads of the calling thread's TBB arena for all but the first
/// pass. `index` is the backend's.
std::vector<Plan> expand_plans(const Backend& backend, const index::Index& index,
                               std::span<const Plan> plans, const Expansion& expansion,
                               const SearchOptions& options, ExpansionReport& report);

}  // namespace gannet::query
