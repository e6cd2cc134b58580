#include "query/device/open_device.hpp"

#include <algorithm>
#include <string>

#include "codecs/device/device.hpp"
#include "codecs/error.hpp"
#include "query/device/pruned/launches.hpp"
#include "query/device/tuning.hpp"

namespace gannet::query::cuda {
namespace {

using codecs::cuda::check;
using codecs::cuda::DeviceGuard;

std::uint64_t free_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return free;
}

std::uint64_t pool_bytes(std::uint64_t wanted) {
  return wanted != 0 ? wanted : std::min<std::uint64_t>(tuning::kDefaultPool, free_memory() / 4);
}

void check_free(std::uint64_t pool) {
  if (const std::uint64_t free = free_memory(); free < pool) {
    throw DeviceMemoryError("batches are to have " + std::to_string(pool >> 20) +
                            " MB of GPU memory, " + std::to_string(free >> 20) +
                            " MB are free; use less, the cpu back end or a larger GPU");
  }
}

}  // namespace

Device open_device(const index::Index& index, const CudaOptions& options) {
  const DeviceGuard guard(options.device);
  const std::uint64_t pool = pool_bytes(options.pool_bytes);
  check_free(pool);
  const int processors = codecs::cuda::device_attribute(cudaDevAttrMultiProcessorCount);
  Device device{options.device,
                {static_cast<std::uint32_t>(processors) * tuning::kWarpsPerSm, max_warp_memory()},
                has_room_for_windows(),
                pool / options.concurrent_calls,
                device_segments(index, options.device, options.index_bytes, pool)};
  check_free(pool);
  return device;
}

bool has_room(const index::Index& index, int device, const CudaOptions& options) {
  const DeviceGuard guard(device);
  const std::uint64_t wanted = device_bytes_of(index);
  if (options.index_bytes != 0 && wanted > options.index_bytes) return false;
  return wanted + pool_bytes(options.pool_bytes) <= free_memory();
}

std::uint64_t room_for_columns(int device, std::uint64_t wanted) {
  const DeviceGuard guard(device);
  return wanted != 0 ? wanted : free_memory() / 8;
}

}  // namespace gannet::query::cuda
