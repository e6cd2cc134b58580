// Sizes of persistent launches: as many blocks as the device runs at once, each of which takes its
// share of the work.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include "codecs/base/cuda/check.hpp"

namespace gannet::codecs::cuda {

/// Loads `kernel`, if the driver has not done so, which takes a while and memory of the device:
/// before locks are held that others wait for. Throws DeviceMemoryError.
inline void load_kernel(const void* kernel) {
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
}

/// Allows `kernel` to have `shared` bytes of dynamic shared memory. Asks the driver only when a
/// device's kernel is to have more than before. Thread-safe; may be called while a stream is
/// captured.
inline void allow_shared(const void* kernel, std::size_t shared) {
  static std::mutex mutex;
  static std::map<std::pair<int, const void*>, std::size_t> allowed;
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  {
    const std::lock_guard lock(mutex);
    if (shared <= allowed[{device, kernel}]) return;
  }
  load_kernel(kernel);
  // The last call counts, not the largest size: one at a time.
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

/// What resident_blocks() asks the driver.
inline std::uint32_t ask_resident_blocks(int device, const void* kernel, std::uint32_t threads,
                                         std::size_t shared) {
  allow_shared(kernel, shared);
  int blocks = 0;
  int processors = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(threads),
                                                      shared),
        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
        "cudaDeviceGetAttribute");
  if (blocks > 0) return static_cast<std::uint32_t>(blocks * processors);
  throw CudaError("a block of " + std::to_string(threads) + " threads with " +
                  std::to_string(shared) +
                  " bytes of shared memory does not fit into a processor of this GPU (use the cpu "
                  "back end, and report this)");
}

/// Blocks of `kernel` that the current device runs at once, with `shared` bytes of dynamic shared
/// memory, which the kernel is allowed to have from then on. Asks the driver once for each kernel,
/// size and device, without a lock that others wait for. Thread-safe; may be called while a stream
/// is captured. Throws CudaError if not even one block fits: nothing would be launched.
inline std::uint32_t resident_blocks(const void* kernel, std::uint32_t threads,
                                     std::size_t shared) {
  static std::mutex mutex;
  static std::map<std::tuple<int, const void*, std::uint32_t, std::size_t>, std::uint32_t> known;
  int device = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  const std::tuple key{device, kernel, threads, shared};
  {
    const std::lock_guard lock(mutex);
    const auto entry = known.find(key);
    if (entry != known.end()) return entry->second;
  }
  const std::uint32_t blocks = ask_resident_blocks(device, kernel, threads, shared);
  const std::lock_guard lock(mutex);
  known.emplace(key, blocks);
  return blocks;
}

/// Blocks to launch `kernel` with, for work that `wanted` blocks would do in one turn each.
template <class... Arguments>
std::uint32_t persistent_blocks(void (*kernel)(Arguments...), std::uint32_t threads,
                                std::size_t shared, std::uint32_t wanted) {
  return std::min(wanted, resident_blocks(reinterpret_cast<const void*>(kernel), threads, shared));
}

}  // namespace gannet::codecs::cuda
