// Keys that reach a threshold, appended to a list.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "codecs/core/lanes.hpp"
#include "query/gpu/device/columns/column_launches.hpp"

namespace gannet::query::cuda {

using codecs::WarpLanes;

/// The key that others have to reach: the last of the k best of a sample; 0 if the sample has
/// fewer.
__device__ __forceinline__ std::uint64_t least_key(const CodeOrder& order) {
  if (order.sample == nullptr || *order.sample_count != order.k) return 0;
  return order.sample[order.k - 1];
}

/// Appends the keys of a lane's codes to the list: code i if bit i of `chosen` is set.
template <class KeyOf>
__device__ __forceinline__ void append_keys(std::uint32_t chosen, const KeyList& list,
                                            KeyOf key_of) {
  if (__ballot_sync(WarpLanes::kAll, chosen != 0) == 0) return;
  WarpLanes::Var<std::uint32_t> before{static_cast<std::uint32_t>(__popc(chosen))};
  const std::uint32_t total = WarpLanes{}.exclusive_scan(before);
  std::uint32_t first = 0;
  if (WarpLanes::id() == 0) first = atomicAdd(list.count, total);
  std::uint32_t at = __shfl_sync(WarpLanes::kAll, first, 0) + before.value;
  for (; chosen != 0; chosen &= chosen - 1) {
    if (at < list.capacity) list.keys[at] = key_of(__ffs(static_cast<int>(chosen)) - 1);
    ++at;
  }
}

}  // namespace gannet::query::cuda
