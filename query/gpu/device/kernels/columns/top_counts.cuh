// The codes that were counted most often.
#pragma once

#include "query/gpu/device/kernels/columns/key_list.cuh"
#include "query/gpu/device/kernels/columns/match_codes.cuh"

namespace gannet::query::cuda {

/// Appends the keys of counters that are above 0 and reach the threshold of `order`, of the groups
/// 0, stride, 2 stride ... of 32 counters: the largest key has the largest count, of equal counts
/// the smallest code. Keys that the list has no room for are counted and dropped. Unless null, adds
/// to sums->distinct and sums->total. Warps take the groups in turn.
static __global__ void __launch_bounds__(kColumnThreads)
    top_counts_kernel(const __grid_constant__ CodeCounters counters, std::uint32_t stride,
                      const __grid_constant__ CodeOrder order, const __grid_constant__ KeyList list,
                      FieldSums* sums) {
  __shared__ std::uint64_t of_warps[kColumnWarps];
  const std::uint64_t least = least_key(order);
  std::uint32_t distinct = 0;
  std::uint64_t total = 0;
  const std::uint64_t step = std::uint64_t{gridDim.x} * kColumnWarps * stride * kLanes;
  std::uint64_t first =
      std::uint64_t{blockIdx.x * kColumnWarps + threadIdx.x / kLanes} * stride * kLanes;
  for (; first < counters.size; first += step) {
    const std::uint64_t at = first + WarpLanes::id();
    const std::uint32_t count = at < counters.size ? counters.counts[at] : 0;
    distinct += count != 0 ? 1 : 0;
    total += count;
    const auto key_of = [&](std::uint32_t = 0) {
      const std::uint32_t code = counters.code(static_cast<std::uint32_t>(at));
      return std::uint64_t{count} << 32 | static_cast<std::uint32_t>(~code);
    };
    const bool chosen = order.k != 0 && count != 0 &&
                        std::uint64_t{count} << 32 >= (least & 0xffffffff00000000u) &&
                        key_of() >= least;
    append_keys(chosen ? 1u : 0u, list, key_of);
  }
  if (sums == nullptr) return;
  add_of_block(distinct, of_warps, &sums->distinct);
  add_of_block(total, of_warps, &sums->total);
}

}  // namespace gannet::query::cuda
