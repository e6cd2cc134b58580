// Storing decoded tiles: what all kernels that write values out end with.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "codecs/core/lanes.hpp"
#include "codecs/core/tile.hpp"

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

}  // namespace gannet::codecs::cuda
