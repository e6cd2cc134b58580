#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "codecs/device/columns.hpp"
#include "tools/measure/device/column_timing.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::measure {
namespace {

using codecs::cuda::check;
using codecs::cuda::device_attribute;
using codecs::cuda::DeviceArray;
using codecs::cuda::DeviceColumn;
using codecs::cuda::OwnedStream;

constexpr int kPoison = 0xa5;
constexpr std::size_t kMaxCopies = 64;
/// Poisoned bytes behind the values.
constexpr std::size_t kFence = 64;

/// Whether the device memory holds `expected`, then poison.
bool matches(const DeviceArray<std::byte>& output, std::span<const std::byte> expected) {
  std::vector<std::byte> decoded(output.size());
  check(cudaMemcpy(decoded.data(), output.data(), output.bytes(), cudaMemcpyDeviceToHost),
        "cudaMemcpy from the device");
  const auto end = decoded.begin() + static_cast<std::ptrdiff_t>(expected.size());
  return std::equal(expected.begin(), expected.end(), decoded.begin()) &&
         std::all_of(end, decoded.end(), [](std::byte byte) { return byte == std::byte{kPoison}; });
}

std::size_t copies_for(std::size_t bytes) {
  const auto cache = static_cast<std::size_t>(device_attribute(cudaDevAttrL2CacheSize));
  return std::min(1 + 2 * cache / std::max<std::size_t>(bytes, 1), kMaxCopies);
}

}  // namespace

ColumnTiming time_column_decode(codecs::CodecId codec, codecs::ValueType type,
                                std::span<const std::uint32_t> words,
                                std::span<const std::byte> expected, int repeats) {
  const auto count = static_cast<std::uint32_t>(expected.size() / codecs::size_of(type));
  const std::size_t copies = copies_for(words.size_bytes() + expected.size());
  std::vector<DeviceColumn> columns;
  std::vector<DeviceArray<std::byte>> outputs;
  for (std::size_t i = 0; i < copies; ++i) {
    columns.emplace_back(codec, type, words, count);
    outputs.emplace_back(expected.size() + kFence);
    check(cudaMemset(outputs[i].data(), kPoison, outputs[i].bytes()), "cudaMemset");
  }
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  OwnedStream stream;
  ColumnTiming timing;
  timing.seconds = time_each(stream, repeats, [&](int turn) {
    const std::size_t i = static_cast<std::size_t>(turn) % copies;
    columns[i].decode_async(outputs[i].data(), stream);
  });
  stream.wait();
  timing.verified = matches(outputs[0], expected);
  return timing;
}

}  // namespace gannet::measure
