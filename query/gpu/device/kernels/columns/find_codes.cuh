// Which codes of a column are in a set.
#pragma once

#include "query/gpu/device/kernels/columns/code_groups.cuh"
#include "query/gpu/plan/code_sets.hpp"

namespace gannet::query::cuda {

/// A bit a code, bitmap_room(codes) words: those of blocks that `decisions` leaves open are looked
/// at. Only what `present` (or null) has too. The grid has a warp for each group: warps that go
/// through several, the next one's codes on their way, are no faster, since a multiprocessor has
/// others to turn to (bench/history/2026-11-26-filters-and-columns-gpu.md).
template <class Set>
__global__ void __launch_bounds__(kColumnThreads)
    find_codes_kernel(const __grid_constant__ CodesView codes, const __grid_constant__ Set set,
                      const BlockDecision* decisions, const std::uint64_t* present,
                      std::uint64_t* words) {
  const std::uint32_t group = blockIdx.x * kColumnWarps + threadIdx.x / kLanes;
  if (group >= groups_of(codes.count)) return;
  // Both are asked for before either is there.
  const CodeBlock block = codes.blocks[group / kGroupsPerBlock];
  const BlockDecision decision = decisions[group / kGroupsPerBlock];
  std::uint32_t bits = decision == BlockDecision::kEverything ? 0xffff : 0;
  if (decision == BlockDecision::kSome) {
    constexpr Reading kReading = Reading::kStriped;
    const PackedCodes packed = load_codes<kReading>(codes, block, group);
    for_codes(packed, [&](std::uint32_t i, std::uint32_t code) {
      if (set.has(code)) bits |= 1u << i;
    });
    bits = own_bits<kReading>(packed, bits);
  }
  bits &= bits_before(group, codes.count);
  if (present != nullptr) bits &= read_bits(present, nullptr, group);
  write_bits(bits, words, group);
}

}  // namespace gannet::query::cuda
