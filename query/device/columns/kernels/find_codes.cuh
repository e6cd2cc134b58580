// Which codes of a column are in a set.
#pragma once

#include "query/device/columns/code_sets.hpp"
#include "query/device/columns/kernels/code_groups.cuh"

namespace gannet::query::cuda {

/// A bit a code, bitmap_room(codes) words: those of blocks that `decisions` leaves open are decoded.
/// Only what `present` (or null) has too. A warp a group.
template <class Codec, class Set>
__global__ void __launch_bounds__(kColumnThreads)
    find_codes_kernel(const __grid_constant__ CodesView codes, const __grid_constant__ Set set,
                      const BlockDecision* decisions, const std::uint64_t* present,
                      std::uint64_t* words) {
  extern __shared__ uint4 shared[];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t group = blockIdx.x * kColumnWarps + warp;
  if (group >= codecs::cuda::load_count(codes.list)) return;
  const BlockDecision decision = decisions[group / kGroupsPerBlock];
  std::uint32_t bits = decision == BlockDecision::kEverything ? 0xffff : 0;
  if (decision == BlockDecision::kSome) {
    with_group<Codec>(codes, group, shared + warp * group_units<Codec>(codes),
                      [&](const auto& loaded) { bits = loaded.rows_in(set); });
  }
  write_bits(bits & bits_before(group, codes.list.count), words, present, group);
}

}  // namespace gannet::query::cuda
