// Kernels that decode a column of strips (codecs/streams/strips.hpp) in CODAG's ways and in ours.
#pragma once

#include <cstdint>

#include "bench/papers/codag/buffers.hpp"
#include "bench/papers/codag/prefetch.cuh"
#include "codecs/device/detail/own_launch.cuh"
#include "codecs/streams/strips.hpp"

namespace gannet::bench {

using codecs::ListView;
using codecs::WarpLanes;
using codecs::papers::CodagInput;
using codecs::papers::DecodeBy;

inline constexpr std::uint32_t kWarpsPerBlock = 4;

/// Where a warp buffers its input.
enum class Buffer { kShared, kRegisters, kMemory };

/// One warp per chunk, which it decodes from end to end.
template <class Codec, class T, Buffer buffer, DecodeBy by>
__global__ void __launch_bounds__(kWarpsPerBlock* codecs::kLanes)
    serial_kernel(ListView column, T* out) {
  using Column = typename Codec::Column;
  constexpr bool kShared = buffer == Buffer::kShared;
  __shared__ std::uint32_t lines[kShared ? kWarpsPerBlock : 1][2 * codecs::papers::kLineWords];
  const std::uint32_t warp = threadIdx.x / codecs::kLanes;
  const std::uint32_t chunk = blockIdx.x * kWarpsPerBlock + warp;
  const std::uint32_t chunk_values = column.words[0];
  if (chunk >= codecs::chunk_count(column.count, chunk_values)) return;
  const codecs::ByteRange range = Column::stream_of(column, chunk);
  T* to = out + std::uint64_t{chunk} * chunk_values;
  const WarpLanes lanes;
  if constexpr (kShared) {
    using Words = codecs::papers::SharedWords<WarpLanes, by>;
    CodagInput<by, Words, Codec::order> input(Words(lanes, range, lines[warp]), range.begin);
    codecs::papers::decode_whole_chunk<Codec, T, by>(lanes, column, chunk, input, to);
  } else if constexpr (buffer == Buffer::kRegisters) {
    using Words = codecs::papers::RegisterWords<WarpLanes>;
    static_assert(by == DecodeBy::kAllLanes, "a single lane cannot read other lanes' registers");
    CodagInput<by, Words, Codec::order> input(Words(lanes, range), range.begin);
    codecs::papers::decode_whole_chunk<Codec, T, by>(lanes, column, chunk, input, to);
  } else {
    using Words = codecs::papers::PlainWords;
    CodagInput<by, Words, Codec::order> input(Words(range), range.begin);
    codecs::papers::decode_whole_chunk<Codec, T, by>(lanes, column, chunk, input, to);
  }
}

/// Two warps a chunk: the first decodes, the second prefetches.
template <class Codec, class T, DecodeBy by>
__global__ void __launch_bounds__(2 * codecs::kLanes) prefetch_kernel(ListView column, T* out) {
  using Column = typename Codec::Column;
  __shared__ codecs::papers::PrefetchRing ring;
  const std::uint32_t chunk = blockIdx.x;
  const codecs::ByteRange range = Column::stream_of(column, chunk);
  if (threadIdx.x == 0) ring.reset();
  __syncthreads();
  if (threadIdx.x >= codecs::kLanes) {
    codecs::papers::prefetch_lines(range, ring);
    return;
  }
  using Words = codecs::papers::PrefetchedWords<by>;
  CodagInput<by, Words, Codec::order> input(Words(range, ring), range.begin);
  T* to = out + std::uint64_t{chunk} * column.words[0];
  codecs::papers::decode_whole_chunk<Codec, T, by>(WarpLanes{}, column, chunk, input, to);
  codecs::papers::finish_prefetching(ring);
}

/// A way to decode a column, launched on a stream.
template <class T>
using Launch = void (*)(ListView column, std::uint32_t chunk_values, T* out, cudaStream_t stream);

template <class Codec, class T, Buffer buffer, DecodeBy by>
void launch_serial(ListView column, std::uint32_t chunk_values, T* out, cudaStream_t stream) {
  const std::uint32_t chunks = codecs::chunk_count(column.count, chunk_values);
  serial_kernel<Codec, T, buffer, by>
      <<<codecs::ceil_div(chunks, kWarpsPerBlock), kWarpsPerBlock * codecs::kLanes, 0, stream>>>(
          column, out);
}

template <class Codec, class T, DecodeBy by>
void launch_prefetch(ListView column, std::uint32_t chunk_values, T* out, cudaStream_t stream) {
  prefetch_kernel<Codec, T, by>
      <<<codecs::chunk_count(column.count, chunk_values), 2 * codecs::kLanes, 0, stream>>>(column,
                                                                                           out);
}

/// Our form, as the codec launches it (own_launch.cuh).
template <class Codec, class T>
void launch_ours(ListView column, std::uint32_t chunk_values, T* out, cudaStream_t stream) {
  codecs::cuda::launch_own<Codec>(column, chunk_values, out, nullptr, stream);
}

/// The same with two launches however few chunks there are.
template <class Codec, class T>
void launch_staged(ListView column, std::uint32_t chunk_values, T* out, cudaStream_t stream) {
  const std::uint32_t chunks = codecs::chunk_count(column.count, chunk_values);
  const std::uint32_t blocks = codecs::ceil_div(chunks, 4);
  constexpr std::uint32_t kMax = Codec::Column::kStageWords;
  codecs::strips_kernel<Codec, T, true>
      <<<blocks, 4 * codecs::kLanes, 0, stream>>>(column, 0, kMax, out);
  codecs::strips_kernel<Codec, T, false>
      <<<blocks, 4 * codecs::kLanes, 0, stream>>>(column, kMax + 1, 0xffffffffu, out);
}

/// The same without staging in shared memory.
template <class Codec, class T>
void launch_unstaged(ListView column, std::uint32_t chunk_values, T* out, cudaStream_t stream) {
  const std::uint32_t chunks = codecs::chunk_count(column.count, chunk_values);
  codecs::strips_kernel<Codec, T, false>
      <<<codecs::ceil_div(chunks, 4), 4 * codecs::kLanes, 0, stream>>>(column, 0, 0xffffffffu, out);
}

}  // namespace gannet::bench
