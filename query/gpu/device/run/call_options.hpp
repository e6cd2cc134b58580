// How a call of the CUDA back end runs.
#pragma once

#include <stop_token>

#include "query/backend/gather_options.hpp"
#include "query/gpu/plan/pruned/shared_scores.hpp"

namespace gannet::query::cuda {

/// Refers to what the call was given.
struct CallOptions {
  const std::stop_token& stop;
  const FoundPlans& found;  ///< may be empty
  SharedScores shared;      ///< with other shards; empty if there are none
};

}  // namespace gannet::query::cuda
