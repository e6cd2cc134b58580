// What kernels read of lists that are not in device memory: it crosses the bus.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "codecs/core/codec.hpp"
#include "query/gpu/plan/batch.hpp"

namespace gannet::query::cuda {

/// What crosses the bus at a time.
inline constexpr std::uint32_t kSectorBytes = 32;

/// Bytes that cross the bus, on average, for `bytes` bytes of a list, wherever their first word
/// lies.
__device__ inline std::uint32_t crossing(std::uint32_t bytes) { return bytes + kSectorBytes - 4; }

__device__ inline bool is_on_host(const IndexView&, const ListPlace& list) {
  return list.on_host != 0;
}
__device__ inline bool is_on_host(const IndexView& index, const BatchTerm& term) {
  return term.freq_words >= index.device_words;
}

/// Counts `bytes` that cross the bus for what a thread reads of a list, if the device has it not.
/// Term is ListPlace or BatchTerm.
template <class Term>
__device__ inline void count_host_read(const IndexView& index, const Term& term,
                                       std::uint32_t bytes) {
  if (is_on_host(index, term)) {
    atomicAdd(index.host_bytes_read, static_cast<unsigned long long>(bytes));
  }
}

/// What a tile's docids take, on average in the list.
template <class Term>
__device__ inline std::uint32_t docid_tile_bytes(const Term& term) {
  return static_cast<std::uint32_t>(term.freq_words - term.docid_words) * 4 /
         codecs::tile_count(term.count);
}

}  // namespace gannet::query::cuda
