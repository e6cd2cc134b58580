// The write-out kernel: decodes the groups of a source and stores their values. One source for
// batches of lists (decode.cu) and for columns of any type (columns.cu).
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "gannet/codecs/cuda/check.hpp"
#include "gannet/codecs/cuda/group_ring.cuh"
#include "gannet/codecs/cuda/persistent.cuh"

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

/// Stages of a warp's ring, and warps of a block, such that their shared memory is allowed: 2 and 4
/// unless a codec's tiles are uncommonly large.
template <class Codec>
inline constexpr std::uint32_t kWriteStages = 2 * sizeof(StagedGroup<Codec>) <= kMaxStatic ? 2 : 1;
template <class Codec>
inline constexpr std::uint32_t kWriteWarps = [] {
  std::uint32_t warps = 4;
  while (warps > 1 && warps * kWriteStages<Codec> * sizeof(StagedGroup<Codec>) > kMaxStatic) {
    warps /= 2;
  }
  return warps;
}();

template <class Codec, Content kContent, class Source, class T>
__global__ void __launch_bounds__(kWriteWarps<Codec>* kLanes) write_kernel(Source source, T* out) {
  constexpr std::uint32_t kWarps = kWriteWarps<Codec>;
  using Ring = GroupRing<Codec, Source, kWriteStages<Codec>>;
  __shared__ typename Ring::Shared shared[kWarps];
  const std::uint32_t warp = threadIdx.x / kLanes;
  Ring ring(source, shared[warp], blockIdx.x * kWarps + warp, gridDim.x * kWarps);
  while (ring.next()) {
    const Group group = ring.group();
    decode_group<Codec, kContent>(group, ring.payload(), ring.boundaries(),
                                  [&](std::uint32_t tile, const Quad& quad, std::uint32_t size) {
                                    store_tile(quad, size,
                                               out + group.output + std::uint64_t{tile} * kTile);
                                  });
  }
}

/// Launches write_kernel on `stream`, with no more blocks than run at once.
template <class Codec, Content kContent, class Source, class T>
void launch_write(const Source& source, T* out, cudaStream_t stream) {
  constexpr std::uint32_t kThreads = kWriteWarps<Codec> * kLanes;
  const auto kernel = write_kernel<Codec, kContent, Source, T>;
  const std::uint32_t blocks =
      persistent_blocks(kernel, kThreads, 0, ceil_div(source.groups, kWriteWarps<Codec>));
  kernel<<<blocks, kThreads, 0, stream>>>(source, out);
  check_launch("write_kernel");
}

}  // namespace gannet::codecs::cuda
