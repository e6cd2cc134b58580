// CUB's ways to the best keys of many queries, each behind the same call. Those that sort do more
// than is asked: there is no cheaper one for segments in the toolkits that Gannet is built with.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cub/device/device_segmented_radix_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#if __has_include(<cub/device/device_topk.cuh>)
#include <cub/device/device_topk.cuh>
#include <cuda/stream_ref>
#define GANNET_HAS_CUB_TOP_K
#endif

namespace gannet::bench {

/// Finalists in device memory: those of query q are keys[begins[q] .. ends[q]).
struct DeviceFinalists {
  const std::uint64_t* keys;
  const int* begins;
  const int* ends;
  const std::uint32_t* host_counts;  ///< ends - begins, in host memory
  std::uint32_t queries;
  std::uint32_t room;  ///< begins[q] is q * room

  int items() const { return static_cast<int>(queries * room); }
};

/// A way of CUB's. Writes each query's best keys from out[q * room] on. As CUB's functions do, it
/// only sets `bytes` if `scratch` is null.
struct CubWay {
  const char* name;
  bool sorts;  ///< the best k come first and in order; otherwise there are just these, in no order
  cudaError_t (*run)(const DeviceFinalists& from, std::uint32_t k, std::uint64_t* out,
                     void* scratch, std::size_t& bytes, cudaStream_t stream);
};

inline cudaError_t cub_segmented_sort(const DeviceFinalists& from, std::uint32_t /*k*/,
                                      std::uint64_t* out, void* scratch, std::size_t& bytes,
                                      cudaStream_t stream) {
  return cub::DeviceSegmentedSort::SortKeysDescending(scratch, bytes, from.keys, out, from.items(),
                                                      static_cast<int>(from.queries), from.begins,
                                                      from.ends, stream);
}

inline cudaError_t cub_segmented_radix_sort(const DeviceFinalists& from, std::uint32_t /*k*/,
                                            std::uint64_t* out, void* scratch, std::size_t& bytes,
                                            cudaStream_t stream) {
  return cub::DeviceSegmentedRadixSort::SortKeysDescending(
      scratch, bytes, from.keys, out, from.items(), static_cast<int>(from.queries), from.begins,
      from.ends, 0, 64, stream);
}

#ifdef GANNET_HAS_CUB_TOP_K
/// One query after the other: DeviceTopK knows no segments, and takes their sizes from the host.
inline cudaError_t cub_top_k(const DeviceFinalists& from, std::uint32_t k, std::uint64_t* out,
                             void* scratch, std::size_t& bytes, cudaStream_t stream) {
  namespace execution = ::cuda::execution;
  const auto wanted = execution::require(execution::determinism::not_guaranteed,
                                         execution::output_ordering::unsorted);
  const auto environment = ::cuda::std::execution::env{::cuda::stream_ref{stream}, wanted};
  std::size_t most = 0;
  for (std::uint32_t q = 0; q < from.queries; ++q) {
    const std::size_t first = std::size_t{q} * from.room;
    const std::uint32_t count = from.host_counts[q];
    const cudaError_t error = cub::DeviceTopK::MaxKeys(
        scratch, bytes, from.keys + first, out + first, count, count < k ? count : k, environment);
    if (error != cudaSuccess) return error;
    if (bytes > most) most = bytes;
  }
  if (scratch == nullptr) bytes = most;
  return cudaSuccess;
}
#endif

inline constexpr CubWay kCubWays[] = {
    {"segmented sort", true, cub_segmented_sort},
    {"segmented radix sort", true, cub_segmented_radix_sort},
#ifdef GANNET_HAS_CUB_TOP_K
    {"top k, query by query", false, cub_top_k},
#endif
};

}  // namespace gannet::bench
