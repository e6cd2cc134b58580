// The documents of a bitmap that come first in the order of a column.
#pragma once

#include "query/gpu/device/kernels/columns/code_groups.cuh"
#include "query/gpu/device/kernels/columns/key_list.cuh"

namespace gannet::query::cuda {

/// The key of a document: the largest comes first, of equal codes the smaller docid.
__device__ __forceinline__ std::uint64_t order_key(const CodeOrder& order, std::uint32_t code,
                                                   std::uint32_t document) {
  const std::uint32_t place = order.descending ? code : ~code;
  return std::uint64_t{place} << 32 | static_cast<std::uint32_t>(~document);
}

/// Whether codes of a column block can reach it.
__device__ __forceinline__ bool can_reach(const CodeOrder& order, const CodeBlock& block,
                                          std::uint64_t least) {
  if (block.least > block.greatest) return false;
  return order_key(order, order.descending ? block.greatest : block.least, 0) >= least;
}

/// Appends the keys of documents of `matches` (and of `present`, unless null) that reach the
/// threshold of `order`, of the groups 0, stride, 2 stride ... of the column. Keys that the list
/// has no room for are counted and dropped. Warps take the groups in turn.
static __global__ void __launch_bounds__(kColumnThreads)
    first_codes_kernel(const __grid_constant__ CodesView codes, const std::uint64_t* matches,
                       const std::uint64_t* present, std::uint32_t stride,
                       const __grid_constant__ CodeOrder order,
                       const __grid_constant__ KeyList list) {
  const auto groups = static_cast<std::uint32_t>(groups_of(codes.count));
  const std::uint64_t least = least_key(order);
  std::uint64_t number = blockIdx.x * kColumnWarps + threadIdx.x / kLanes;
  const auto advance = [&](GroupBits& next) {
    while (number * stride < groups) {
      const auto group = static_cast<std::uint32_t>(number * stride);
      number += gridDim.x * kColumnWarps;
      if (!can_reach(order, codes.blocks[group / kGroupsPerBlock], least)) continue;
      next = {group, read_bits(matches, present, group)};
      if (__ballot_sync(WarpLanes::kAll, next.bits != 0) != 0) return true;
    }
    return false;
  };
  for_groups(codes, advance, [&](const GroupBits& now, const PackedCodes& packed) {
    const std::uint32_t first = now.group * kGroupCodes + kLaneCodes * WarpLanes::id();
    std::uint32_t chosen = 0;
    for_codes(packed, [&](std::uint32_t i, std::uint32_t code) {
      if (order_key(order, code, first + i) >= least) chosen |= 1u << i;
    });
    append_keys(chosen & now.bits, list, [&](std::uint32_t chosen_code) {
      std::uint64_t key = 0;
      for_codes(packed, [&](std::uint32_t i, std::uint32_t code) {
        if (i == chosen_code) key = order_key(order, code, first + i);
      });
      return key;
    });
  });
}

}  // namespace gannet::query::cuda
