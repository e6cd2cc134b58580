// The write-out kernel: decodes the groups of a source and stores their values. One source for
// batches of lists (decode.cu) and for columns of any type (columns.cu).
//
// A warp decodes one small group and is done; the device hands out the groups in order. Kernels
// whose warps stay and prefetch their next groups were slower for writing, with any way of copying:
// their warps drift apart, and memory likes its writes close together.
#pragma once

#include <cuda_runtime.h>

#include "gannet/codecs/cuda/check.hpp"
#include "gannet/codecs/cuda/group.cuh"

namespace gannet::codecs::cuda {

/// Stores a lane's quad of a tile of `size` values as T. `out` is the tile's place, aligned to four
/// values.
template <class T>
__device__ __forceinline__ void store_tile(const Quad& quad, std::uint32_t size, T* out) {
  const std::uint32_t first = 4 * WarpLanes::id();
  if (first + 4 <= size) {
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

/// Tiles that a warp decodes: few, but whole blocks.
template <class Codec>
inline constexpr std::uint32_t kWriteTiles =
    Codec::block <= kWideTiles* kTile ? kWideTiles : kGroupTiles;

/// A group's words and boundaries in shared memory.
template <class Codec>
struct WriteStage {
  uint4 words[(staged_words(kWriteTiles<Codec> * Codec::tile_words) + kOverread) / 4];
  std::uint32_t boundaries[kWriteTiles<Codec> + 4];  ///< kWriteTiles + 1 of them are used
};

/// Warps of a block: 8, or fewer for codecs with uncommonly large tiles.
template <class Codec>
inline constexpr std::uint32_t kWriteWarps = [] {
  std::uint32_t warps = 8;
  while (warps > 1 && warps * sizeof(WriteStage<Codec>) > kMaxStatic) warps /= 2;
  return warps;
}();

template <class Codec, Content kContent, class Source, class T>
__global__ void __launch_bounds__(kWriteWarps<Codec>* kLanes) write_kernel(Source source, T* out) {
  constexpr std::uint32_t kTiles = kWriteTiles<Codec>;
  __shared__ WriteStage<Codec> shared[kWriteWarps<Codec>];
  WriteStage<Codec>& stage_memory = shared[threadIdx.x / kLanes];
  const std::uint32_t i = blockIdx.x * kWriteWarps<Codec> + threadIdx.x / kLanes;
  if (i >= source.groups) return;
  const Group group = source.group(i);
  const Located at = locate<Codec, kTiles>(group);
  if (WarpLanes::id() <= kTiles) stage_memory.boundaries[WarpLanes::id()] = at.boundary;
  const Payload payload = stage(group.list.words, at.extent, stage_memory.words);
  decode_group<Codec, kTiles, kContent>(
      group, payload, stage_memory.boundaries,
      [&](std::uint32_t tile, const Quad& quad, std::uint32_t size) {
        store_tile(quad, size, out + group.output + std::uint64_t{tile} * kTile);
      });
}

/// Launches write_kernel on `stream`. The source's groups are of kWriteTiles<Codec> tiles.
template <class Codec, Content kContent, class Source, class T>
void launch_write(const Source& source, T* out, cudaStream_t stream) {
  const std::uint32_t blocks = ceil_div(source.groups, kWriteWarps<Codec>);
  write_kernel<Codec, kContent><<<blocks, kWriteWarps<Codec> * kLanes, 0, stream>>>(source, out);
  check_launch("write_kernel");
}

}  // namespace gannet::codecs::cuda
