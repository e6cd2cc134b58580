#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "codecs/base/cuda/memory.hpp"
#include "codecs/core/bits.hpp"
#include "codecs/core/lanes.hpp"
#include "tools/measure/device/ceilings.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::measure {
namespace {

using codecs::ceil_div;
using codecs::kLanes;
using codecs::WarpLanes;
using codecs::cuda::check;
using codecs::cuda::check_launch;
using codecs::cuda::device_attribute;
using codecs::cuda::DeviceArray;
using codecs::cuda::OwnedStream;

__global__ void read_kernel(const uint4* data, std::size_t size, std::uint32_t* sink) {
  std::uint32_t any = 0;
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (; i + 3 * stride < size; i += 4 * stride) {
    uint4 part[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) part[j] = __ldcs(data + i + j * stride);
#pragma unroll
    for (int j = 0; j < 4; ++j) any |= part[j].x ^ part[j].y ^ part[j].z ^ part[j].w;
  }
  for (; i < size; i += stride) any |= data[i].x;
  if (any == 0x12345678u) *sink = any;  // never true for the zeroed data: keeps the loads alive
}

/// Writes kTimes units for every unit read, one warp per stretch of units, as write_kernel does.
template <std::uint32_t kTimes, std::uint32_t kUnits>
__global__ void __launch_bounds__(256)
    mixed_kernel(const uint4* from, uint4* to, std::uint32_t stretches) {
  const std::uint32_t stretch = blockIdx.x * (256 / kLanes) + threadIdx.x / kLanes;
  if (stretch >= stretches) return;
  from += std::size_t{stretch} * kLanes * kUnits;
  to += std::size_t{stretch} * kLanes * kUnits * kTimes;
  uint4 part[kUnits];
#pragma unroll
  for (std::uint32_t i = 0; i < kUnits; ++i) part[i] = __ldcs(from + i * kLanes + WarpLanes::id());
#pragma unroll
  for (std::uint32_t i = 0; i < kUnits * kTimes; ++i) {
    __stcs(to + i * kLanes + WarpLanes::id(), part[i % kUnits]);
  }
}

/// The better of two stretches, for one ratio.
template <std::uint32_t kTimes>
double measure_mixed(const DeviceArray<std::uint32_t>& source, DeviceArray<std::uint32_t>& target,
                     int repeats, cudaStream_t stream) {
  double best = 0;
  const auto try_units = [&]<std::uint32_t kUnits>() {
    constexpr std::size_t kRead = kLanes * kUnits * sizeof(uint4);
    const auto stretches = static_cast<std::uint32_t>(target.bytes() / (kRead * kTimes));
    const double seconds = time_each(stream, repeats, [&](int) {
      mixed_kernel<kTimes, kUnits><<<ceil_div(stretches, 256 / kLanes), 256, 0, stream>>>(
          reinterpret_cast<const uint4*>(source.data()), reinterpret_cast<uint4*>(target.data()),
          stretches);
      check_launch("mixed_kernel");
    });
    best = std::max(best, static_cast<double>(stretches * kRead * (1 + kTimes)) / seconds);
  };
  try_units.template operator()<1>();
  try_units.template operator()<4>();
  return best;
}

}  // namespace

double MemoryCeilings::mixed(double read, double write) const {
  const auto between = [](double from, double to, double t) { return from + (to - from) * t; };
  if (write <= read) return between(read_bytes_per_second, mixed_bytes_per_second[0], write / read);
  constexpr double kLast = std::tuple_size_v<decltype(mixed_bytes_per_second)> - 1;
  const double place = read > 0 ? std::log2(write / read) : kLast + 1;
  if (place >= kLast) {
    // From the last ratio on, towards writing alone.
    const double share = read / (read + write) * (1 + std::exp2(kLast));
    return between(write_bytes_per_second, mixed_bytes_per_second.back(), share);
  }
  const auto low = static_cast<std::size_t>(place);
  return between(mixed_bytes_per_second[low], mixed_bytes_per_second[low + 1],
                 place - static_cast<double>(low));
}

MemoryCeilings measure_ceilings() {
  constexpr std::size_t kBytes = std::size_t{1} << 30;
  constexpr int kRepeats = 25;
  DeviceArray<std::uint32_t> source(kBytes / sizeof(std::uint32_t));
  DeviceArray<std::uint32_t> target(kBytes / sizeof(std::uint32_t));
  OwnedStream stream;
  const int blocks = 16 * device_attribute(cudaDevAttrMultiProcessorCount);
  check(cudaMemsetAsync(source.data(), 0, kBytes, stream), "cudaMemsetAsync");
  const double copy = time_each(stream, kRepeats, [&](int) {
    check(cudaMemcpyAsync(target.data(), source.data(), kBytes, cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync");
  });
  const double read = time_each(stream, kRepeats, [&](int) {
    read_kernel<<<blocks, 256, 0, stream>>>(reinterpret_cast<const uint4*>(source.data()),
                                            kBytes / sizeof(uint4), target.data());
    check_launch("read_kernel");
  });
  const double write = time_each(stream, kRepeats, [&](int) {
    check(cudaMemsetAsync(target.data(), 0, kBytes, stream), "cudaMemsetAsync");
  });
  const auto bytes = static_cast<double>(kBytes);
  return {2 * bytes / copy,
          bytes / read,
          bytes / write,
          {measure_mixed<1>(source, target, kRepeats, stream),
           measure_mixed<2>(source, target, kRepeats, stream),
           measure_mixed<4>(source, target, kRepeats, stream),
           measure_mixed<8>(source, target, kRepeats, stream),
           measure_mixed<16>(source, target, kRepeats, stream),
           measure_mixed<32>(source, target, kRepeats, stream)}};
}

}  // namespace gannet::measure
