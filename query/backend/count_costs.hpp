// What counts and docids of a batch are expected to cost on each processor.
#pragma once

#include <cstdint>
#include <span>

#include "query/plan/plan.hpp"

namespace gannet::query {

/// The processors that a batch may run on.
struct CountProcessors {
  unsigned threads = 1;  ///< of the CPU back end, 1 or more
  unsigned gpus = 1;     ///< 1 or more
};

/// Expected seconds of a batch in an index whose lists have their bitmaps.
struct CountCosts {
  double cpu = 0;
  double gpu = 0;
};

/// The costs of plans that want counts or docids, in an index of so many documents, by the document
/// frequencies in the plans. Takes steps for each term.
CountCosts count_costs(std::span<const Plan> plans, std::uint64_t documents,
                       const CountProcessors& processors);

/// Whether count_costs() knows what a plan costs: it wants a count or docids and has no fields to
/// ask and no unions.
bool has_known_count_cost(const Plan& plan);

}  // namespace gannet::query
