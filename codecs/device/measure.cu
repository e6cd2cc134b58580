#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "codecs/core/bits.hpp"
#include "codecs/device/decode.hpp"
#include "codecs/device/measure.hpp"
#include "codecs/device/timing.hpp"
#include "codecs/core/lanes.hpp"

namespace gannet::codecs::cuda {
namespace {

constexpr int kPoison = 0xa5;
constexpr std::size_t kMaxCopies = 64;
constexpr int kDecodesPerGraph = 16;

/// Copies of the same lists and their outputs, used in turn so that no decode finds its data in the
/// cache.
class Rotation {
 public:
  explicit Rotation(const EncodedLists& lists) {
    inputs_.emplace_back(lists);
    const std::size_t bytes = inputs_[0].bytes() + inputs_[0].output_size() * sizeof(std::uint32_t);
    const std::size_t wanted =
        1 + 2 * static_cast<std::size_t>(device_attribute(cudaDevAttrL2CacheSize)) /
                std::max<std::size_t>(bytes, 1);
    while (inputs_.size() < std::min(wanted, kMaxCopies)) inputs_.emplace_back(lists);
    for (const DeviceLists& input : inputs_) outputs_.emplace_back(input.output_size());
    for (auto& output : outputs_) {
      check(cudaMemset(output.data(), kPoison, output.bytes()), "cudaMemset");
    }
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  void decode(int turn, cudaStream_t stream) {
    const std::size_t i = static_cast<std::size_t>(turn) % inputs_.size();
    inputs_[i].decode_async(outputs_[i].data(), stream);
  }

  /// Whether the first output holds exactly the expected values, and poison between the lists.
  bool matches(const EncodedLists& lists, const std::uint32_t* expected) {
    std::vector<std::uint32_t> output(outputs_[0].size());
    check(
        cudaMemcpy(output.data(), outputs_[0].data(), outputs_[0].bytes(), cudaMemcpyDeviceToHost),
        "cudaMemcpy from the device");
    for (std::size_t i = 0; i < lists.size(); ++i) {
      const auto begin = output.begin() + static_cast<std::ptrdiff_t>(inputs_[0].output_offset(i));
      const auto end = begin + lists.counts[i];
      if (!std::equal(begin, end, expected)) return false;
      const auto next =
          output.begin() + static_cast<std::ptrdiff_t>(inputs_[0].output_offset(i + 1));
      if (!std::all_of(end, next, [](std::uint32_t word) { return word == 0xa5a5a5a5u; }))
        return false;
      expected += lists.counts[i];
    }
    return true;
  }

 private:
  std::vector<DeviceLists> inputs_;
  std::vector<DeviceArray<std::uint32_t>> outputs_;
};

/// A graph of kDecodesPerGraph decodes one after the other.
class DecodeGraph {
 public:
  DecodeGraph(Rotation& rotation, cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
    for (int turn = 0; turn < kDecodesPerGraph; ++turn) rotation.decode(turn, stream);
    check(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
    const cudaError_t status = cudaGraphInstantiate(&executable_, graph, 0);
    cudaGraphDestroy(graph);
    check(status, "cudaGraphInstantiate");
  }
  ~DecodeGraph() { cudaGraphExecDestroy(executable_); }
  DecodeGraph(const DecodeGraph&) = delete;
  DecodeGraph& operator=(const DecodeGraph&) = delete;
  void replay(cudaStream_t stream) {
    check(cudaGraphLaunch(executable_, stream), "cudaGraphLaunch");
  }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

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

/// Writes kTimes units for every unit read, a warp a stretch of units, as write_kernel does.
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

DecodeTiming time_decode(const EncodedLists& lists, const std::uint32_t* expected, int repeats) {
  Rotation rotation(lists);
  OwnedStream stream;
  DecodeTiming timing;
  timing.launch_seconds =
      time_each(stream, repeats, [&](int turn) { rotation.decode(turn, stream); });
  if (lists.values() > 0) {
    DecodeGraph graph(rotation, stream);
    timing.graph_seconds =
        time_each(stream, repeats, [&](int) { graph.replay(stream); }) / kDecodesPerGraph;
  }
  stream.wait();
  timing.verified = rotation.matches(lists, expected);
  return timing;
}

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

}  // namespace gannet::codecs::cuda
