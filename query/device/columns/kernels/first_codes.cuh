// The documents of a bitmap that come first in the order of a column.
#pragma once

#include "query/device/columns/column_launches.hpp"
#include "query/device/columns/kernels/code_groups.cuh"

namespace gannet::query::cuda {

/// The key of a document: the largest comes first, of equal codes the smaller docid.
__device__ __forceinline__ std::uint64_t order_key(const CodeOrder& order, std::uint32_t code,
                                                   std::uint32_t document) {
  const std::uint32_t place = order.descending ? code : ~code;
  return std::uint64_t{place} << 32 | static_cast<std::uint32_t>(~document);
}

/// What keys have to reach: the last of the k best of a sample, if it has so many.
__device__ __forceinline__ std::uint64_t least_key(const CodeOrder& order) {
  if (order.sample == nullptr || *order.sample_count != order.k) return 0;
  return order.sample[order.k - 1];
}

/// Whether codes of a block can reach it.
__device__ __forceinline__ bool can_reach(const CodeOrder& order, const CodeBlock& block,
                                          std::uint64_t least) {
  if (block.least > block.greatest) return false;
  return order_key(order, order.descending ? block.greatest : block.least, 0) >= least;
}

/// Appends keys of the lanes to the list.
__device__ __forceinline__ void append_keys(const std::uint64_t (&keys)[16], std::uint32_t chosen,
                                            const KeyList& list) {
  const auto mine = static_cast<std::uint32_t>(__popc(chosen));
  WarpLanes::Var<std::uint32_t> before{mine};
  const std::uint32_t total = WarpLanes{}.exclusive_scan(before);
  if (total == 0) return;
  std::uint32_t first = 0;
  if (WarpLanes::id() == 0) first = atomicAdd(list.count, total);
  std::uint32_t at = __shfl_sync(WarpLanes::kAll, first, 0) + before.value;
#pragma unroll
  for (std::uint32_t i = 0; i < 16; ++i) {
    if ((chosen >> i & 1) == 0) continue;
    if (at < list.capacity) list.keys[at] = keys[i];
    ++at;
  }
}

/// Appends the keys of documents of `matches` (and `present`, or null) that reach what they have to,
/// of the groups 0, stride, 2 stride ... of the column. What the list has no room for is counted,
/// not kept. Warps go through the groups in turn.
template <class Codec>
__global__ void __launch_bounds__(kColumnThreads)
    first_codes_kernel(const __grid_constant__ CodesView codes, const std::uint64_t* matches,
                       const std::uint64_t* present, std::uint32_t stride,
                       const __grid_constant__ CodeOrder order,
                       const __grid_constant__ KeyList list) {
  extern __shared__ uint4 shared[];
  const std::uint32_t warp = threadIdx.x / kLanes;
  uint4* const memory = shared + warp * group_units<Codec>(codes);
  const std::uint32_t groups = codecs::cuda::load_count(codes.list);
  const std::uint64_t least = least_key(order);
  for (std::uint64_t number = blockIdx.x * kColumnWarps + warp; number * stride < groups;
       number += gridDim.x * kColumnWarps) {
    const auto group = static_cast<std::uint32_t>(number * stride);
    if (!can_reach(order, codes.blocks[group / kGroupsPerBlock], least)) continue;
    const std::uint32_t bits = read_bits(matches, present, group);
    if (__ballot_sync(WarpLanes::kAll, bits != 0) == 0) continue;
    with_group<Codec>(codes, group, memory, [&](const auto& loaded) {
      std::uint64_t keys[16];
      std::uint32_t chosen = 0;
      loaded.decode([&](std::uint32_t t, const Quad& quad) {
#pragma unroll
        for (std::uint32_t i = 0; i < 4; ++i) {
          const std::uint32_t document = group * kGroupCodes + t * kTile + 4 * WarpLanes::id() + i;
          const std::uint64_t key = order_key(order, quad.value[i], document);
          keys[4 * t + i] = key;
          if ((bits >> (4 * t + i) & 1) != 0 && key >= least) chosen |= 1u << (4 * t + i);
        }
      });
      append_keys(keys, chosen, list);
    });
  }
}

}  // namespace gannet::query::cuda
