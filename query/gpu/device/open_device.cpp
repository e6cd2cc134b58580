#include "query/gpu/device/open_device.hpp"

#include <algorithm>
#include <string>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/error.hpp"
#include "query/gpu/device/kernels/pruned/launches.hpp"
#include "query/gpu/device/memory/device_budget.hpp"
#include "query/gpu/plan/tuning.hpp"

namespace gannet::query::cuda {
namespace {

using codecs::cuda::DeviceGuard;

std::uint64_t pool_bytes(const CudaOptions& options) {
  if (options.pool_bytes != 0) return options.pool_bytes;
  const std::uint64_t free = device_budget(options.device).available();
  return std::min<std::uint64_t>(tuning::kDefaultPool, free / 4);
}

/// Bytes for batches. Other owners give back what they do not use at the moment. If the caller
/// asked for a size, less is an error.
std::uint64_t found_pool(const CudaOptions& options, std::uint64_t pool) {
  const std::uint64_t free =
      device_budget(options.device).make_available(pool, MemoryUse::kBatches);
  if (free >= pool) return pool;
  if (options.pool_bytes == 0) return free;
  throw DeviceMemoryError("batches are to have " + std::to_string(pool >> 20) +
                          " MB of GPU memory, " + std::to_string(free >> 20) +
                          " MB are free; use less, the cpu back end or a larger GPU");
}

}  // namespace

Device open_device(const index::Index& index, const CudaOptions& options) {
  const DeviceGuard guard(options.device);
  const std::uint64_t pool = found_pool(options, pool_bytes(options));
  const int processors = codecs::cuda::device_attribute(cudaDevAttrMultiProcessorCount);
  Device device{options.device,
                {static_cast<std::uint32_t>(processors) * tuning::kWarpsPerSm, max_warp_memory()},
                has_room_for_windows(),
                0,
                device_segments(index, options.device, options.index_bytes, pool)};
  device.pool = found_pool(options, pool) / options.concurrent_calls;
  return device;
}

bool has_room(const index::Index& index, int device, const CudaOptions& options) {
  const DeviceGuard guard(device);
  const std::uint64_t wanted = device_bytes_of(index);
  if (options.index_bytes != 0 && wanted > options.index_bytes) return false;
  CudaOptions there = options;
  there.device = device;
  const std::uint64_t most =
      options.device_bytes != 0 ? options.device_bytes : MemoryBudget::kNoLimit;
  return wanted + pool_bytes(there) <= device_budget(device).available(most);
}

std::uint64_t room_for_columns(int device, std::uint64_t wanted) {
  const DeviceGuard guard(device);
  return wanted != 0 ? wanted : device_budget(device).available() / 8;
}

}  // namespace gannet::query::cuda
