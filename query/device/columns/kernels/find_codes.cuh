// Which codes of a column are in a set.
#pragma once

#include "query/device/columns/code_sets.hpp"
#include "query/device/columns/kernels/code_groups.cuh"

namespace gannet::query::cuda {

/// A bit a code, bitmap_room(codes) words: those of blocks that `decisions` leaves open are looked
/// at. Only what `present` (or null) has too. Warps go through the groups in turn.
template <class Set>
__global__ void __launch_bounds__(kColumnThreads)
    find_codes_kernel(const __grid_constant__ CodesView codes, const __grid_constant__ Set set,
                      const BlockDecision* decisions, const std::uint64_t* present,
                      std::uint64_t* words) {
  const auto groups = static_cast<std::uint32_t>(groups_of(codes.count));
  const auto write = [&](std::uint32_t group, std::uint32_t bits) {
    bits &= bits_before(group, codes.count);
    if (present != nullptr) bits &= read_bits(present, nullptr, group);
    write_bits(bits, words, group);
  };
  std::uint32_t group = blockIdx.x * kColumnWarps + threadIdx.x / kLanes;
  const auto advance = [&](GroupBits& next) {
    for (; group < groups; group += gridDim.x * kColumnWarps) {
      const BlockDecision decision = decisions[group / kGroupsPerBlock];
      if (decision == BlockDecision::kSome) {
        next.group = group;
        group += gridDim.x * kColumnWarps;
        return true;
      }
      write(group, decision == BlockDecision::kEverything ? 0xffff : 0);
    }
    return false;
  };
  constexpr Reading kReading = Reading::kStriped;
  for_groups<kReading>(codes, advance, [&](const GroupBits& now, const PackedCodes& packed) {
    std::uint32_t bits = 0;
    for_codes(packed, [&](std::uint32_t i, std::uint32_t code) {
      if (set.has(code)) bits |= 1u << i;
    });
    write(now.group, own_bits<kReading>(packed, bits));
  });
}

}  // namespace gannet::query::cuda
