// The write-out kernel: decodes the groups of a source and stores their values. One source for
// batches of lists (decode.cu) and for columns of any type (columns.cu).
//
// A warp decodes one small group and is done; the device hands out the groups in order. Kernels
// whose warps stay and prefetch their next groups were slower for writing, with any way of copying:
// their warps drift apart, and memory likes its writes close together.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "codecs/device/check.hpp"
#include "codecs/device/detail/group.cuh"

namespace gannet::codecs::cuda {

/// Stores a lane's quad of a tile of `size` values as T. `out` is the tile's place, aligned to four
/// values.
template <class T>
__device__ __forceinline__ void store_tile(const Quad& quad, std::uint32_t size, T* out) {
  const std::uint32_t first = 4 * WarpLanes::id();
  if (size == kTile || first + 4 <= size) {
    if constexpr (sizeof(T) == 4) {
      __stcs(reinterpret_cast<uint4*>(out + first),
             make_uint4(quad.value[0], quad.value[1], quad.value[2], quad.value[3]));
    } else if constexpr (sizeof(T) == 2) {
      __stcs(reinterpret_cast<uint2*>(out + first),
             make_uint2(__byte_perm(quad.value[0], quad.value[1], 0x5410),
                        __byte_perm(quad.value[2], quad.value[3], 0x5410)));
    } else {
      static_assert(sizeof(T) == 1);
      const std::uint32_t low = __byte_perm(quad.value[0], quad.value[1], 0x0040);
      const std::uint32_t high = __byte_perm(quad.value[2], quad.value[3], 0x0040);
      __stcs(reinterpret_cast<std::uint32_t*>(out + first), __byte_perm(low, high, 0x5410));
    }
    return;
  }
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (first + i < size) out[first + i] = static_cast<T>(quad.value[i]);
  }
}

/// Static shared memory that a block may have.
inline constexpr std::size_t kMaxStatic = 48 << 10;

/// Whether decoding a block takes so long that a warp had better decode two, and wait for the words
/// of both at once. Rooms are then made for what the column's groups take on average, lest shared
/// memory allow too few warps; the few larger groups are decoded from global memory.
template <class Codec>
inline constexpr bool kBusy = Codec::traits.scratch_words > 0;

/// Tiles that a warp decodes: few, but whole blocks, and more where there are no wide forms, so
/// that the warp waits less often.
template <class Codec>
inline constexpr std::uint32_t kWriteTiles = [] {
  constexpr bool kSlow = kBusy<Codec> || (Codec::traits.gaps && !WideTileCodec<Codec>);
  return Codec::block <= kWideTiles * kTile && !kSlow ? kWideTiles : kGroupTiles;
}();

/// Most warps of a block.
inline constexpr std::uint32_t kWriteWarps = 8;

/// Blocks of most warps that a processor is to hold: the registers of a thread follow from it.
/// Prefix sums wait a lot, and want many warps; what is busy wants registers.
template <class Codec, Content kContent>
inline constexpr std::uint32_t kWriteBlocks = [] {
  constexpr bool kSums =
      (kContent == Content::kDocids && Codec::traits.gaps) || Codec::traits.prefix_sums;
  return kBusy<Codec> ? 4u : kSums && WideTileCodec<Codec> ? 6u : 5u;
}();

/// Shared memory of a warp, in units of 16 bytes: words, lengths, scratch, boundaries.
struct WritePlan {
  std::uint32_t most_words;
  std::uint32_t most_lengths;
  std::uint32_t lengths;  ///< where these begin
  std::uint32_t scratch;
  std::uint32_t boundaries;
  std::uint32_t units;
};

/// `average`: words that a tile of the source takes, all groups being much alike; 0 if that is
/// unknown.
template <class Codec>
WritePlan write_plan(std::uint32_t average) {
  constexpr std::uint32_t kTiles = kWriteTiles<Codec>;
  constexpr std::uint32_t kLengths = lengths_words<Codec>(kTiles);
  WritePlan plan{kTiles * Codec::tile_words, kLengths, 0, 0, 0, 0};
  if (kBusy<Codec> && average > 0) {
    const std::uint32_t usual = kTiles * (average + average / 4 + 4);
    plan.most_words = std::min(plan.most_words, usual);
    plan.most_lengths = std::min(plan.most_lengths, usual);
  }
  plan.lengths = room_units(plan.most_words);
  plan.scratch = plan.lengths + (kLengths > 0 ? room_units(plan.most_lengths) : 0);
  plan.boundaries = plan.scratch + (Codec::traits.scratch_words + 3) / 4;
  plan.units = plan.boundaries + (kTiles + 4) / 4;
  return plan;
}

template <class Codec, Content kContent, class Source, class T>
__global__ void __launch_bounds__(kWriteWarps* kLanes, kWriteBlocks<Codec, kContent>)
    write_kernel(Source source, WritePlan plan, T* out) {
  constexpr std::uint32_t kTiles = kWriteTiles<Codec>;
  extern __shared__ uint4 shared[];
  const std::uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
  if (i >= source.groups) return;
  const Group group = source.group(i);
  const bool full = group.full(kTiles);
  const Located at = locate<Codec>(group, kTiles, full);
  const Extent extent = payload_extent<Codec>(group.list, group.first, at, kTiles, full);
  const auto store = [&](std::uint32_t tile, const Quad& quad, std::uint32_t size) {
    store_tile(quad, size, out + group.output + std::uint64_t{tile} * kTile);
  };
  if constexpr (kBusy<Codec>) {
    if (extent.end - extent.begin > plan.most_words ||
        at.lengths.end - at.lengths.begin > plan.most_lengths) {
      decode_tiles<Codec, kContent>(group, Payload{group.list.words, 0}, store);
      return;
    }
  }
  uint4* const mine = shared + threadIdx.x / kLanes * plan.units;
  const GroupMemory memory{mine, mine + plan.lengths, mine + plan.scratch,
                           reinterpret_cast<std::uint32_t*>(mine + plan.boundaries)};
  const StagedTiles staged = memory.template fill<Codec>(group, at, extent, kTiles);
  decode_group<Codec, kTiles, kContent>(group, staged, store);
}

/// Launches write_kernel on `stream`. The source's groups are of kWriteTiles<Codec> tiles, which
/// take `average` words on average; `alike` says that no group takes much more.
template <class Codec, Content kContent, class Source, class T>
void launch_write(const Source& source, std::uint32_t average, bool alike, T* out,
                  cudaStream_t stream) {
  // Above about 12 bits a value, the fewer warps a block has the better: blocks end sooner then,
  // and the writes of all warps stay closer together.
  constexpr std::uint32_t kWideWords = 48;
  const auto kernel = write_kernel<Codec, kContent, Source, T>;
  const WritePlan plan = write_plan<Codec>(alike ? average : 0);
  const std::size_t bytes = plan.units * sizeof(uint4);
  std::uint32_t warps = average > kWideWords ? 2 : kBusy<Codec> ? 4 : kWriteWarps;
  while (warps > 1 && warps * bytes > kMaxStatic) warps /= 2;
  kernel<<<ceil_div(source.groups, warps), warps * kLanes, warps * bytes, stream>>>(source, plan,
                                                                                    out);
  check_launch("write_kernel");
}

}  // namespace gannet::codecs::cuda
