#include <cuda_runtime.h>

#include <algorithm>
#include <string>

#include "codecs/base/cuda/check.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/device/batch.hpp"
#include "codecs/device/decode/batch_items.cuh"

namespace gannet::codecs::cuda {
namespace {

/// The arrays of a batch of `size` items, one behind the other, the widest elements first.
struct Arrays {
  std::size_t ranges = 0, columns, column_bytes, outputs, output_bytes, statuses, end;

  explicit Arrays(std::size_t size)
      : columns(ranges + size * sizeof(ValueRange)),
        column_bytes(columns + size * sizeof(void*)),
        outputs(column_bytes + size * sizeof(std::uint64_t)),
        output_bytes(outputs + size * sizeof(void*)),
        statuses(output_bytes + size * sizeof(std::uint64_t)),
        end(statuses + size * sizeof(ColumnStatus)) {}
};

template <class T>
T* at(std::byte* memory, std::size_t offset) {
  return reinterpret_cast<T*>(memory + offset);
}

}  // namespace

DeviceBatch::DeviceBatch(std::span<const BatchItem> items, Stream stream, MemoryResource& resource)
    : size_(items.size()), memory_(Arrays(items.size()).end, stream, resource) {
  if (items.empty()) return;
  const Arrays offsets(size_);
  auto* const memory = memory_.as<std::byte>();
  const BatchArrays arrays{
      at<const void*>(memory, offsets.columns), at<std::uint64_t>(memory, offsets.column_bytes),
      at<void*>(memory, offsets.outputs), at<std::uint64_t>(memory, offsets.output_bytes),
      at<ValueRange>(memory, offsets.ranges)};
  for (std::size_t first = 0; first < size_; first += kItemsPerLaunch) {
    BatchItems some{};
    some.first = first;
    some.size = static_cast<std::uint32_t>(std::min<std::size_t>(kItemsPerLaunch, size_ - first));
    for (std::uint32_t i = 0; i < some.size; ++i) {
      const ValueRange range = items[first + i].range;
      is_ranged_ = is_ranged_ || range.first != 0 || range.count != kAllValues;
      some.items[i] = items[first + i];
    }
    launch_kernel({"put_items_kernel", 1, kItemsPerLaunch, 0, stream}, put_items_kernel, some,
                  arrays);
  }
}

BatchView DeviceBatch::view() const {
  const Arrays arrays(size_);
  auto* memory = memory_.as<std::byte>();
  BatchView view;
  view.columns = at<const void*>(memory, arrays.columns);
  view.column_bytes = at<std::uint64_t>(memory, arrays.column_bytes);
  view.outputs = at<void*>(memory, arrays.outputs);
  view.output_bytes = at<std::uint64_t>(memory, arrays.output_bytes);
  if (is_ranged_) view.ranges = at<ValueRange>(memory, arrays.ranges);
  view.size = size_;
  return view;
}

ColumnStatus* DeviceBatch::statuses() const {
  return at<ColumnStatus>(memory_.as<std::byte>(), Arrays(size_).statuses);
}

void DeviceBatch::decode_async(const BatchPlan& plan) const {
  decode_batch_async(plan, view(), statuses(), memory_.stream());
}

std::vector<ColumnStatus> DeviceBatch::wait() const {
  std::vector<ColumnStatus> result(size_);
  if (size_ > 0) {
    check(cudaMemcpyAsync(result.data(), statuses(), size_ * sizeof(ColumnStatus),
                          cudaMemcpyDeviceToHost, memory_.stream()),
          "cudaMemcpyAsync from the device");
  }
  check(cudaStreamSynchronize(memory_.stream()), "cudaStreamSynchronize");
  return result;
}

void DeviceBatch::wait_and_check() const {
  const std::vector<ColumnStatus> all = wait();
  const auto wrong =
      std::find_if(all.begin(), all.end(), [](ColumnStatus s) { return s != ColumnStatus::kOk; });
  if (wrong == all.end()) return;
  throw FormatError("column " + std::to_string(wrong - all.begin()) +
                    " of a batch: " + text_of(*wrong));
}

}  // namespace gannet::codecs::cuda
