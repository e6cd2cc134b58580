// Which codes of a column are in a set.
#pragma once

#include "query/gpu/device/kernels/columns/code_groups.cuh"
#include "query/gpu/plan/code_sets.hpp"

namespace gannet::query::cuda {

/// Writes one bit per code, bitmap_room(codes) words. Reads only the codes of column blocks that
/// `decisions` leaves open. Bits that `present` does not have are 0, unless it is null. The grid
/// has one warp per group: warps that go through several groups and load the next one early are no
/// faster, since a multiprocessor has other warps to run
/// (bench/history/2026-11-26-filters-and-columns-gpu.md).
template <class Set>
__global__ void __launch_bounds__(kColumnThreads)
    find_codes_kernel(const __grid_constant__ CodesView codes, const __grid_constant__ Set set,
                      const BlockDecision* decisions, const std::uint64_t* present,
                      std::uint64_t* words) {
  const std::uint32_t group = blockIdx.x * kColumnWarps + threadIdx.x / kLanes;
  if (group >= groups_of(codes.count)) return;
  // Both loads are issued before either is waited for.
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
