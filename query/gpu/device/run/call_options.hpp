// How a call of the CUDA back end runs.
#pragma once

#include <stop_token>

#include "query/backend/gather_options.hpp"
#include "query/gpu/plan/shared_scores.hpp"

namespace gannet::query::cuda {

/// Refers to the arguments of the call.
struct CallOptions {
  const std::stop_token& stop;
  const FoundPlans& found;     ///< may be empty
  SharedScores shared;         ///< scores of other shards; empty without shards
  bool exhaustive = false;     ///< SearchOptions::exhaustive
  bool little_memory = false;  ///< an attempt before this one has found too little device memory
};

}  // namespace gannet::query::cuda
