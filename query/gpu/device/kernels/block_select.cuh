// The k-th largest of many keys in device memory, by a thread block.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "query/gpu/device/kernels/radix.cuh"

namespace gannet::query::cuda {

/// Keys in device memory.
struct KeyRange {
  const std::uint64_t* keys;
  std::uint32_t count;
};

/// Shared memory of a selection. The histogram is all 0 before and afterwards.
struct SelectMemory {
  std::uint32_t histogram[kDigits];
  std::uint64_t prefix;
  bool exact;
};

/// Calls f(key) for every key, in the threads of a block, several loads in flight.
template <std::uint32_t kThreads, class F>
__device__ void for_each_key(KeyRange all, F f) {
  constexpr std::uint32_t kInFlight = 8;
  for (std::uint32_t first = threadIdx.x; first < all.count; first += kInFlight * kThreads) {
    std::uint64_t part[kInFlight];
#pragma unroll
    for (std::uint32_t i = 0; i < kInFlight; ++i) {
      const std::uint32_t position = first + i * kThreads;
      part[i] = position < all.count ? all.keys[position] : 0;
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kInFlight; ++i) {
      if (first + i * kThreads < all.count) f(part[i]);
    }
  }
}

/// The k-th largest of more than k different keys: exactly k keys reach it. Radix selection by all
/// threads of a block, which get the same.
template <std::uint32_t kThreads>
__device__ std::uint64_t kth_largest(KeyRange all, std::uint32_t k, SelectMemory& memory) {
  std::uint32_t wanted = k;
  std::uint64_t prefix = 0;
  std::uint64_t mask = 0;
  bool exact = false;
  for (int shift = 56; shift >= 0 && !exact; shift -= 8) {
    for_each_key<kThreads>(all, [&](std::uint64_t key) {
      if ((key & mask) == prefix) atomicAdd(memory.histogram + (key >> shift & 0xff), 1u);
    });
    __syncthreads();
    if (threadIdx.x < codecs::kLanes) {
      const std::uint32_t digit = pick_digit(memory.histogram, wanted, exact);
      if (threadIdx.x == 0) {
        memory.prefix = prefix | std::uint64_t{digit} << shift;
        memory.exact = exact;
      }
    }
    __syncthreads();
    prefix = memory.prefix;
    exact = memory.exact;
    mask |= std::uint64_t{0xff} << shift;
    __syncthreads();
  }
  return prefix;
}

}  // namespace gannet::query::cuda
