// A batch's items on their way from the host to the arrays of a BatchView: as arguments of a
// kernel, which the driver keeps when it launches. A copy from pageable memory might wait for the
// stream, and page-locked memory would have to stay until the stream comes to it.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "codecs/device/batch.hpp"

namespace gannet::codecs::cuda {

/// Items that a launch takes: 3 of the 4 KiB that arguments may have on every device.
inline constexpr std::uint32_t kItemsPerLaunch = 64;

/// Some items, to be put at `first` of the arrays and behind.
struct BatchItems {
  BatchItem items[kItemsPerLaunch];
  std::uint32_t size;
  std::uint64_t first;
};

/// The arrays of a BatchView, to be written.
struct BatchArrays {
  const void** columns;
  std::uint64_t* column_bytes;
  void** outputs;
  std::uint64_t* output_bytes;
  ValueRange* ranges;
};

/// A thread an item: one block of kItemsPerLaunch threads.
__global__ void __launch_bounds__(kItemsPerLaunch)
    put_items_kernel(const __grid_constant__ BatchItems some, BatchArrays arrays) {
  if (threadIdx.x >= some.size) return;
  const BatchItem& item = some.items[threadIdx.x];
  const std::uint64_t at = some.first + threadIdx.x;
  arrays.columns[at] = item.column;
  arrays.column_bytes[at] = item.column_bytes;
  arrays.outputs[at] = item.output;
  arrays.output_bytes[at] = item.output_bytes;
  arrays.ranges[at] = item.range;
}

}  // namespace gannet::codecs::cuda
