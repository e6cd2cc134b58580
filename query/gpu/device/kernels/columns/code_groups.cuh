// Going through a column of codes by groups of 512 codes (kGroupCodes), one warp per group, 16
// codes per lane. A block here is a block of the column (DeviceField), not a thread block.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "codecs/core/lanes.hpp"
#include "query/gpu/plan/views.hpp"

namespace gannet::query::cuda {

using codecs::kLanes;
using codecs::WarpLanes;

inline constexpr std::uint32_t kColumnWarps = 8;
inline constexpr std::uint32_t kColumnThreads = kColumnWarps * kLanes;

/// What a lane reads of a group: packed codes.
struct PackedCodes {
  std::uint32_t words[kLaneCodes];
  std::uint32_t least;
  std::uint32_t width;
};

/// Starts to load a lane's codes of a group, which is in `block`; its words are not waited for
/// here.
__device__ __forceinline__ PackedCodes load_codes(const CodesView& codes, const CodeBlock& block,
                                                  std::uint32_t group) {
  PackedCodes packed;
  packed.least = block.least;
  packed.width = block.width;
  const std::uint8_t* const bytes =
      codes.bytes + block.first_byte +
      std::size_t{group % kGroupsPerBlock * kGroupCodes} * packed.width;
  const auto* const parts = reinterpret_cast<const uint4*>(bytes) + WarpLanes::id() * packed.width;
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    uint4 part{};
    if (i < packed.width) part = __ldg(parts + i);
    packed.words[4 * i] = part.x;
    packed.words[4 * i + 1] = part.y;
    packed.words[4 * i + 2] = part.z;
    packed.words[4 * i + 3] = part.w;
  }
  return packed;
}

/// The i-th code that the lane has read.
template <std::uint32_t kWidth>
__device__ __forceinline__ std::uint32_t unpack_code(const PackedCodes& packed, std::uint32_t i) {
  if constexpr (kWidth == 0) return 0;
  if constexpr (kWidth == 4) return packed.words[i];
  const std::uint32_t word = i * kWidth / 4;
  const std::uint32_t shift = i * kWidth % 4 * 8;
  const std::uint32_t high = kWidth == 3 ? packed.words[word + 1] : 0;
  return __funnelshift_r(packed.words[word], high, shift) & ((1u << (8 * kWidth % 32)) - 1);
}

/// Calls f(i, code) for the 16 codes that the lane has read.
template <std::uint32_t kWidth, class F>
__device__ __forceinline__ void for_codes_of_width(const PackedCodes& packed, F f) {
#pragma unroll
  for (std::uint32_t i = 0; i < kLaneCodes; ++i)
    f(i, packed.least + unpack_code<kWidth>(packed, i));
}
template <class F>
__device__ __forceinline__ void for_codes(const PackedCodes& packed, F f) {
  switch (packed.width) {
    case 0:
      return for_codes_of_width<0>(packed, f);
    case 1:
      return for_codes_of_width<1>(packed, f);
    case 2:
      return for_codes_of_width<2>(packed, f);
    case 3:
      return for_codes_of_width<3>(packed, f);
    default:
      return for_codes_of_width<4>(packed, f);
  }
}

/// A lane's bits of a group: bit i belongs to its code i.
struct GroupBits {
  std::uint32_t group;
  std::uint32_t bits;
};

/// Whether part i, 16 bytes, of a lane's packed codes of this width has one whose bit is set.
__device__ __forceinline__ bool wants_part(std::uint32_t width, std::uint32_t i,
                                           std::uint32_t bits) {
  if (width == 4) return (bits >> 4 * i & 0xf) != 0;
  if (width == 2) return i < 2 && (bits >> 8 * i & 0xff) != 0;
  return i < width && bits != 0;
}

/// load_codes() of the codes whose bits are set; the others are anything. Where few are set, most
/// of a column of wide codes is not read.
__device__ __forceinline__ PackedCodes load_set_codes(const CodesView& codes,
                                                      const GroupBits& wanted) {
  const CodeBlock& block = codes.blocks[wanted.group / kGroupsPerBlock];
  PackedCodes packed;
  packed.least = block.least;
  packed.width = block.width;
  const std::uint8_t* const bytes =
      codes.bytes + block.first_byte +
      std::size_t{wanted.group % kGroupsPerBlock * kGroupCodes} * packed.width;
  const auto* const parts = reinterpret_cast<const uint4*>(bytes) + WarpLanes::id() * packed.width;
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    uint4 part{};
    if (wants_part(packed.width, i, wanted.bits)) part = __ldg(parts + i);
    packed.words[4 * i] = part.x;
    packed.words[4 * i + 1] = part.y;
    packed.words[4 * i + 2] = part.z;
    packed.words[4 * i + 3] = part.w;
  }
  return packed;
}

/// Goes through groups of a column: advance(next) sets `next` to the warp's next group, or is
/// false; use(now, codes) gets its codes whose bits are set, while those of the group after it are
/// on their way.
template <class Advance, class Use>
__device__ __forceinline__ void for_groups(const CodesView& codes, Advance advance, Use use) {
  GroupBits now{};
  if (!advance(now)) return;
  PackedCodes loaded = load_set_codes(codes, now);
  while (true) {
    GroupBits next = now;
    PackedCodes coming = loaded;
    const bool more = advance(next);
    if (more) coming = load_set_codes(codes, next);
    use(now, loaded);
    if (!more) return;
    now = next;
    loaded = coming;
  }
}

/// The bits of a group's codes before `count`, the column's number of codes.
__device__ __forceinline__ std::uint32_t bits_before(std::uint32_t group, std::uint32_t count) {
  const std::uint32_t first = group * kGroupCodes + kLaneCodes * WarpLanes::id();
  if (first >= count) return 0;
  const std::uint32_t left = count - first;
  return left >= kLaneCodes ? 0xffff : (1u << left) - 1;
}

/// The lane's bits of a group in a bitmap, AND those in `also` unless it is null.
__device__ __forceinline__ std::uint32_t read_bits(const std::uint64_t* words,
                                                   const std::uint64_t* also, std::uint32_t group) {
  const std::size_t at = std::size_t{group} * kLanes + WarpLanes::id();
  std::uint32_t bits = reinterpret_cast<const std::uint16_t*>(words)[at];
  if (also != nullptr) bits &= reinterpret_cast<const std::uint16_t*>(also)[at];
  return bits;
}

__device__ __forceinline__ void write_bits(std::uint32_t bits, std::uint64_t* words,
                                           std::uint32_t group) {
  const std::size_t at = std::size_t{group} * kLanes + WarpLanes::id();
  reinterpret_cast<std::uint16_t*>(words)[at] = static_cast<std::uint16_t>(bits);
}

}  // namespace gannet::query::cuda
