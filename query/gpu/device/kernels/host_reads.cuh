// Counts the bytes that kernels read of lists in host memory: these cross the bus.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "codecs/core/codec.hpp"
#include "query/gpu/plan/batch.hpp"

namespace gannet::query::cuda {

/// Bytes that cross the bus in one transaction.
inline constexpr std::uint32_t kSectorBytes = 32;

/// Bytes that cross the bus, on average, for `bytes` bytes of a list, wherever their first word
/// lies.
__device__ inline std::uint32_t crossing(std::uint32_t bytes) { return bytes + kSectorBytes - 4; }

__device__ inline bool is_on_host(const IndexView&, const ListLocation& list) {
  return list.on_host != 0;
}
__device__ inline bool is_on_host(const IndexView& index, const BatchTerm& term) {
  return term.freq_words >= index.device_words;
}

/// Adds `bytes` that a thread reads of a list to the count, if the list is in host memory.
/// Term is ListLocation or BatchTerm.
template <class Term>
__device__ inline void count_host_read(const IndexView& index, const Term& term,
                                       std::uint32_t bytes) {
  if (is_on_host(index, term)) {
    atomicAdd(index.host_bytes_read, static_cast<unsigned long long>(bytes));
  }
}

/// Bytes of a tile's docids, the average of the list.
template <class Term>
__device__ inline std::uint32_t docid_tile_bytes(const Term& term) {
  return static_cast<std::uint32_t>(term.freq_words - term.docid_words) * 4 /
         codecs::tile_count(term.count);
}

}  // namespace gannet::query::cuda
