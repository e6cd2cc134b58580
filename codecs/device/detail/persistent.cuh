// Sizes of persistent launches: as many blocks as the device runs at once, each of which takes its
// share of the work.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>

#include "codecs/device/check.hpp"

namespace gannet::codecs::cuda {

/// Allows `kernel` to have `shared` bytes of dynamic shared memory. Asks the driver only when a
/// device's kernel is to have more than before. Thread-safe; may be called while a stream is
/// captured.
inline void allow_shared(const void* kernel, std::size_t shared) {
  static std::mutex mutex;
  static std::map<std::pair<int, const void*>, std::size_t> allowed;
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  const std::lock_guard lock(mutex);
  std::size_t& most = allowed[{device, kernel}];
  if (shared <= most) return;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(shared)),
        "cudaFuncSetAttribute");
  most = shared;
}

template <class... Arguments>
void allow_shared(void (*kernel)(Arguments...), std::size_t shared) {
  allow_shared(reinterpret_cast<const void*>(kernel), shared);
}

/// Blocks of `kernel` that the current device runs at once, with `shared` bytes of dynamic shared
/// memory, which the kernel is allowed to have from then on. Asks the driver once for each kernel,
/// size and device. Thread-safe; may be called while a stream is captured.
inline std::uint32_t resident_blocks(const void* kernel, std::uint32_t threads,
                                     std::size_t shared) {
  static std::mutex mutex;
  static std::map<std::tuple<int, const void*, std::uint32_t, std::size_t>, std::uint32_t> known;
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  const std::lock_guard lock(mutex);
  auto [entry, fresh] = known.try_emplace({device, kernel, threads, shared}, 0);
  if (fresh || entry->second == 0) {
    int blocks = 0;
    allow_shared(kernel, shared);
    int processors = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads),
                                                        shared),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
    entry->second = static_cast<std::uint32_t>(blocks * processors);
  }
  return entry->second;
}

/// Blocks to launch `kernel` with, for work that `wanted` blocks would do in one turn each.
template <class... Arguments>
std::uint32_t persistent_blocks(void (*kernel)(Arguments...), std::uint32_t threads,
                                std::size_t shared, std::uint32_t wanted) {
  return std::min(wanted, std::max(1u, resident_blocks(reinterpret_cast<const void*>(kernel),
                                                       threads, shared)));
}

}  // namespace gannet::codecs::cuda
