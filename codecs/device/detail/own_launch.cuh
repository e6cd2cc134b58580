// Chunk codecs with a launch of their own for whole columns, where that is measurably faster than a
// warp a chunk with scratch memory for the largest.
#pragma once

#include <cuda_runtime.h>

#include <concepts>

#include "codecs/device/detail/cascaded_kernel.cuh"
#include "codecs/device/detail/inflate_kernel.cuh"
#include "codecs/device/detail/strips_kernel.cuh"

namespace gannet::codecs::cuda {

template <class Codec>
inline constexpr bool kIsOfStrips = std::derived_from<Codec, StripCodec<Codec>>;

/// Whether launch_own() knows the codec.
template <class Codec>
inline constexpr bool kHasOwnLaunch =
    kIsOfStrips<Codec> || std::same_as<Codec, Cascaded> || std::same_as<Codec, Deflate>;

/// Decodes a column in device memory to `out`, on `stream`. Sets *damaged (which may be null) if a
/// chunk turns out not to be what it should; only deflate can find that out. Throws
/// CudaError if it cannot be launched.
template <class Codec, class T>
void launch_own(ListView column, std::uint32_t chunk_values, T* out,
                [[maybe_unused]] std::uint32_t* damaged, cudaStream_t stream) {
  static_assert(kHasOwnLaunch<Codec>);
  if constexpr (kIsOfStrips<Codec>) {
    launch_strips<Codec>(column, chunk_values, out, stream);
  } else if constexpr (std::same_as<Codec, Cascaded>) {
    launch_cascaded(column, chunk_values, out, stream);
  } else {
    deflate::launch_inflate(column, chunk_values, out, damaged, stream);
  }
}

}  // namespace gannet::codecs::cuda
