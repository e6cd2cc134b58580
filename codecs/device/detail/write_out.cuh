// The write-out kernel: decodes the groups of a source and stores their values. One source for
// batches of lists (lists.cu) and for columns of any type (columns.cu).
//
// A warp decodes one small group and is done; the device hands out the groups in order. Kernels
// whose warps stay and prefetch their next groups were slower for writing, with any way of copying:
// their warps drift apart, and memory likes its writes close together.
#pragma once

#include <cuda_runtime.h>

#include "codecs/base/cuda/launch.hpp"
#include "codecs/device/detail/group.cuh"
#include "codecs/device/detail/store_tile.cuh"
#include "codecs/device/detail/tuning.hpp"

namespace gannet::codecs::cuda {

/// Whether unpacking outlasts loading, so that a warp had better decode two blocks, and wait for
/// the words of both at once. Rooms are then made for what the column's groups take on average,
/// lest shared memory allow too few warps; the few larger groups are decoded from global memory.
template <class Codec>
inline constexpr bool kIsComputeBound = Codec::traits.scratch_words > 0;

/// Tiles that a warp decodes: few, but whole blocks, and more where there are no wide forms, so
/// that the warp waits less often.
template <class Codec>
inline constexpr std::uint32_t kWriteTiles = [] {
  constexpr bool kSlow = kIsComputeBound<Codec> || (Codec::traits.gaps && !WideTileCodec<Codec>);
  return Codec::block <= kWideTiles * kTile && !kSlow ? kWideTiles : kGroupTiles;
}();

/// Blocks of most warps that a processor is to hold: the registers of a thread follow from it.
template <class Codec, Content kContent>
inline constexpr std::uint32_t kWriteBlocks = [] {
  constexpr bool kSums =
      (kContent == Content::kDocids && Codec::traits.gaps) || Codec::traits.prefix_sums;
  return kIsComputeBound<Codec>          ? kWritePolicy.compute_bound_blocks
         : kSums && WideTileCodec<Codec> ? kWritePolicy.prefix_sum_blocks
                                         : kWritePolicy.blocks;
}();

/// The layout of a warp's memory. `average`: words that a tile of the source takes, all groups
/// being much alike; 0 if that is unknown.
template <class Codec>
StageLayout write_layout(std::uint32_t average) {
  return kIsComputeBound<Codec> && average > 0
             ? usual_layout<Codec>(kWriteTiles<Codec>, average, Copy::kByWarp)
             : largest_layout<Codec>(kWriteTiles<Codec>, Copy::kByWarp);
}

/// Decodes a group of up to kWriteTiles tiles through `memory`, the warp's shared memory. Calls
/// store(tile, quad, size) for its tiles in order.
template <class Codec, Content kContent, class Store>
__device__ __forceinline__ void write_group(const Group& group, const StageLayout& layout,
                                            uint4* memory, Store store) {
  constexpr std::uint32_t kTiles = kWriteTiles<Codec>;
  const bool full = group.full(kTiles);
  const Located at = locate<Codec>(group, kTiles, full);
  const Extent extent = group.placed()
                            ? group.payload
                            : payload_extent<Codec>(group.list, group.first, at, kTiles, full);
  if constexpr (kIsComputeBound<Codec>) {
    if (!layout.takes(extent, at.lengths)) {
      decode_tiles<Codec, kContent>(group, Payload{group.list.words, 0}, store);
      return;
    }
  }
  const StagedTiles staged =
      fill<Codec>(GroupMemory(memory, layout, 0, 1), group, at, extent, kTiles);
  decode_group<Codec, kTiles, kContent>(group, staged, store);
}

template <class Codec, Content kContent, class Source, class T>
__global__ void __launch_bounds__(kWritePolicy.warps* kLanes, kWriteBlocks<Codec, kContent>)
    write_kernel(Source source, StageLayout layout, T* out) {
  extern __shared__ uint4 shared[];
  const std::uint32_t i = warp_of_grid(blockDim.x / kLanes);
  if (i >= source.groups) return;
  const Group group = source.group(i);
  write_group<Codec, kContent>(
      group, layout, shared + threadIdx.x / kLanes * stage_units<Codec>(layout, 1),
      [&](std::uint32_t tile, const Quad& quad, std::uint32_t size) {
        store_tile(quad, size, out + group.output + std::uint64_t{tile} * kTile);
      });
}

/// Warps of a block of a write-out kernel whose warps take `bytes` of shared memory each, for tiles
/// of `average` words.
template <class Codec>
std::uint32_t write_warps(std::uint32_t average, std::size_t bytes) {
  std::uint32_t warps = average > kWritePolicy.many_words ? kWritePolicy.many_words_warps
                        : kIsComputeBound<Codec>          ? kWritePolicy.compute_bound_warps
                                                          : kWritePolicy.warps;
  while (warps > 1 && warps * bytes > kUsualShared) warps /= 2;
  return warps;
}

/// Launches write_kernel on `stream`. The source's groups are of kWriteTiles<Codec> tiles, which
/// take `average` words on average; `alike` says that no group takes much more. Throws UsageError
/// if there are more groups than a launch can have.
template <class Codec, Content kContent, class Source, class T>
void launch_write(const Source& source, std::uint32_t average, bool alike, T* out,
                  cudaStream_t stream) {
  const StageLayout layout = write_layout<Codec>(alike ? average : 0);
  const std::size_t bytes = stage_units<Codec>(layout, 1) * sizeof(uint4);
  const std::uint32_t warps = write_warps<Codec>(average, bytes);
  launch_kernel({"write_kernel", blocks_for_warps(source.groups, warps), warps * kLanes,
                 warps * bytes, stream},
                write_kernel<Codec, kContent, Source, T>, source, layout, out);
}

}  // namespace gannet::codecs::cuda
