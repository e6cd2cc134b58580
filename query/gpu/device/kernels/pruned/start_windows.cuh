// Initializes the state of queries before their windows are searched.
#pragma once

#include "query/gpu/device/kernels/pruned/threshold.cuh"

namespace gannet::query::cuda {

/// One thread block per query.
static __global__ void __launch_bounds__(kScoreBins)
    start_windows_kernel(const __grid_constant__ PrunedView view) {
  const std::uint32_t q = blockIdx.x;
  view.histogram[q * kScoreBins + threadIdx.x] = 0;
  if (threadIdx.x != 0) return;
  const PrunedQuery& query = view.queries[q];
  view.thresholds[q] = __float_as_uint(query.start);
  view.finalist_counts[q] = 0;
  view.bins[q] = score_bins(query, static_cast<float>(kMaxSum));
}

}  // namespace gannet::query::cuda
