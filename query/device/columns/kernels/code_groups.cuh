// Going through a column of codes by groups of 512, a warp a group, and between the bits that a
// lane has of a group and words of a bitmap.
//
// Of a group, bit 4 t + i of a lane's 16 bits belongs to code 128 t + 4 lane + i: as four tiles are
// decoded (codecs/device/group_loader.cuh).
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "codecs/columns/gpu_for.hpp"
#include "codecs/device/group_loader.cuh"
#include "codecs/lists/raw_tiles.hpp"
#include "query/device/columns/views.hpp"

namespace gannet::query::cuda {

using codecs::kLanes;
using codecs::kTile;
using codecs::Quad;
using codecs::WarpLanes;
using codecs::cuda::GroupLoader;
using codecs::cuda::GroupPlace;
using codecs::cuda::kLoadTiles;
using codecs::cuda::LoadColumn;
using codecs::cuda::TileRange;

static_assert(kGroupCodes == kLoadTiles * kTile);

inline constexpr std::uint32_t kColumnWarps = 8;
inline constexpr std::uint32_t kColumnThreads = kColumnWarps * kLanes;

/// The column as GroupLoader wants it.
template <class Codec>
__host__ __device__ LoadColumn load_column(const CodesView& codes) {
  return {codes.list, codecs::cuda::stage_layout<Codec>(kLoadTiles, codes.most_words, 0,
                                                        codecs::cuda::Copy::kByWarp)};
}

/// Units of 16 bytes of shared memory that a warp takes for its groups.
template <class Codec>
__host__ __device__ std::uint32_t group_units(const CodesView& codes) {
  return codecs::cuda::load_units<Codec>(load_column<Codec>(codes).layout);
}

/// Calls f(group) for a group of the column in shared memory, all of its copies landed. `memory` is
/// the warp's, group_units() of it; nothing of a call before is under way in it.
template <class Codec, class F>
__device__ __forceinline__ void with_group(const CodesView& codes, std::uint32_t number,
                                           uint4* memory, F f) {
  const LoadColumn column = load_column<Codec>(codes);
  const TileRange range = codecs::cuda::load_range(column.list, number);
  const GroupPlace<Codec> place(column.list, number);
  __syncwarp();  // of what was there before, all is read
  const GroupLoader<Codec, true> group(column, range, place, memory);
  codecs::cuda::await_copies();
  f(group);
}

/// The bits of the group's codes before `count`, the column's number of codes.
__device__ __forceinline__ std::uint32_t bits_before(std::uint32_t group, std::uint32_t count) {
  const std::uint32_t rows = count - group * kGroupCodes;
  if (rows >= kGroupCodes) return 0xffff;
  std::uint32_t bits = 0;
#pragma unroll
  for (std::uint32_t t = 0; t < kLoadTiles; ++t) {
    const std::uint32_t first = t * kTile + 4 * WarpLanes::id();
    const std::uint32_t inside = rows > first ? min(rows - first, 4u) : 0;
    bits |= ((1u << inside) - 1) << (4 * t);
  }
  return bits;
}

/// Half a word of a bitmap: number `half` (0 .. 15) of a group's. Lanes with odd numbers have
/// another lane's once more.
struct HalfWord {
  std::uint32_t half;
  std::uint32_t bits;
};

/// The halves of the words that lanes' bits make up. Nibbles of two lanes become bytes, then four
/// pairs of lanes exchange the bytes of four tiles.
__device__ __forceinline__ HalfWord to_half_words(std::uint32_t bits) {
  const std::uint32_t lane = WarpLanes::id();
  const std::uint32_t pair = lane / 2 % 4;
  // The nibble of tile t to the low half of byte t.
  std::uint32_t mine = (bits | bits << 8) & 0x00ff00ff;
  mine = (mine | mine << 4) & 0x0f0f0f0f;
  mine <<= lane % 2 * 4;
  mine |= __shfl_xor_sync(WarpLanes::kAll, mine, 1);
  std::uint32_t other = __shfl_xor_sync(WarpLanes::kAll, mine, 2);
  mine = __byte_perm(mine, other, pair % 2 == 0 ? 0x6240 : 0x3715);
  other = __shfl_xor_sync(WarpLanes::kAll, mine, 4);
  mine = __byte_perm(mine, other, pair / 2 == 0 ? 0x5410 : 0x3276);
  return {4 * pair + lane / 8, mine};
}

/// The other way: lane i (0 .. 15) has half i of the group's words.
__device__ __forceinline__ std::uint32_t from_half_words(std::uint32_t half) {
  const std::uint32_t lane = WarpLanes::id();
  std::uint32_t bits = 0;
#pragma unroll
  for (std::uint32_t t = 0; t < kLoadTiles; ++t) {
    const std::uint32_t of_tile =
        __shfl_sync(WarpLanes::kAll, half, static_cast<int>(4 * t + lane / 8));
    bits |= (of_tile >> (lane % 8 * 4) & 15) << (4 * t);
  }
  return bits;
}

/// What the group has of a bitmap, as a lane's bits; 0 for all lanes if that is nothing. Both
/// pointers are of bitmaps of whole groups; `also` may be null.
__device__ __forceinline__ std::uint32_t read_bits(const std::uint64_t* words,
                                                   const std::uint64_t* also,
                                                   std::uint32_t group) {
  const std::uint32_t lane = WarpLanes::id();
  const std::size_t at = std::size_t{group} * kGroupHalves + lane;
  std::uint32_t half = 0;
  if (lane < kGroupHalves) {
    half = reinterpret_cast<const std::uint32_t*>(words)[at];
    if (also != nullptr) half &= reinterpret_cast<const std::uint32_t*>(also)[at];
  }
  if (__ballot_sync(WarpLanes::kAll, half != 0) == 0) return 0;
  return from_half_words(half);
}

/// Bits of a group of `words` become the lanes' bits. `with` may be null: else only what it has
/// too.
__device__ __forceinline__ void write_bits(std::uint32_t bits, std::uint64_t* words,
                                           const std::uint64_t* with, std::uint32_t group) {
  const HalfWord made = to_half_words(bits);
  if (WarpLanes::id() % 2 != 0) return;
  const std::size_t at = std::size_t{group} * kGroupHalves + made.half;
  std::uint32_t half = made.bits;
  if (with != nullptr) half &= reinterpret_cast<const std::uint32_t*>(with)[at];
  reinterpret_cast<std::uint32_t*>(words)[at] = half;
}

}  // namespace gannet::query::cuda
