#include <cuda_runtime.h>

#include <algorithm>
#include <span>
#include <vector>

#include "codecs/base/cuda/launch.hpp"
#include "codecs/core/bits.hpp"
#include "codecs/core/lanes.hpp"
#include "codecs/device/decode.hpp"
#include "tools/measure/device/decode_timing.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::measure {
namespace {

using codecs::EncodedLists;
using codecs::kLanes;
using codecs::WarpLanes;
using codecs::cuda::check;
using codecs::cuda::device_attribute;
using codecs::cuda::DeviceArray;
using codecs::cuda::DeviceLists;
using codecs::cuda::OwnedStream;

constexpr int kPoison = 0xa5;
constexpr std::size_t kMaxCopies = 64;
constexpr int kDecodesPerGraph = 16;
constexpr std::uint32_t kTwoLoadsWarps = 4;

/// How many copies of data of so many bytes are used in turn so that no turn finds its own in the
/// cache.
std::size_t copies_for(std::size_t bytes) {
  const auto cache = static_cast<std::size_t>(device_attribute(cudaDevAttrL2CacheSize));
  return std::min(1 + 2 * cache / std::max<std::size_t>(bytes, 1), kMaxCopies);
}

/// Copies of the same lists and their outputs, used in turn so that no decode finds its data in the
/// cache.
class Rotation {
 public:
  explicit Rotation(const EncodedLists& lists) {
    inputs_.emplace_back(lists);
    const std::size_t bytes = inputs_[0].bytes() + inputs_[0].output_size() * sizeof(std::uint32_t);
    while (inputs_.size() < copies_for(bytes)) inputs_.emplace_back(lists);
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

/// A graph of kDecodesPerGraph launches, launch(turn) each, one after the other.
class DecodeGraph {
 public:
  template <class F>
  DecodeGraph(cudaStream_t stream, F launch) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
    for (int turn = 0; turn < kDecodesPerGraph; ++turn) launch(turn);
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

/// One warp per tile: places[tile] says where its `units` units of 16 bytes are.
__global__ void __launch_bounds__(kTwoLoadsWarps* kLanes)
    two_loads_kernel(const std::uint32_t* places, const uint4* words, std::uint32_t units,
                     std::uint32_t tiles, uint4* out) {
  const std::uint32_t tile = blockIdx.x * kTwoLoadsWarps + threadIdx.x / kLanes;
  if (tile >= tiles) return;
  const uint4* from = words + places[tile];
  uint4 any = make_uint4(0, 0, 0, 0);
  for (std::uint32_t i = WarpLanes::id(); i < units; i += kLanes) any = __ldcs(from + i);
  __stcs(out + std::size_t{tile} * kLanes + WarpLanes::id(), any);
}

}  // namespace

double time_two_loads(std::uint32_t tiles, std::uint64_t words, int repeats) {
  const auto units = static_cast<std::uint32_t>((words / std::max(tiles, 1u) + 3) / 4);
  const std::size_t in = std::size_t{tiles} * units;
  const std::size_t out = std::size_t{tiles} * kLanes;
  const std::size_t copies = copies_for((in + out) * sizeof(uint4) + tiles * sizeof(std::uint32_t));
  std::vector<std::uint32_t> places(tiles * copies);
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = static_cast<std::uint32_t>(i % tiles * units);
  }
  const auto device_places = codecs::cuda::upload(std::span<const std::uint32_t>(places));
  DeviceArray<uint4> input(in * copies);
  DeviceArray<uint4> output(out * copies);
  check(cudaMemset(input.data(), kPoison, input.bytes()), "cudaMemset");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  OwnedStream stream;
  DecodeGraph graph(stream, [&](int turn) {
    const std::size_t copy = static_cast<std::size_t>(turn) % copies;
    codecs::cuda::launch_kernel({"two_loads_kernel", codecs::ceil_div(tiles, kTwoLoadsWarps),
                                 kTwoLoadsWarps * kLanes, 0, stream},
                                two_loads_kernel, device_places.data() + copy * tiles,
                                input.data() + copy * in, units, tiles, output.data() + copy * out);
  });
  return time_each(stream, repeats, [&](int) { graph.replay(stream); }) / kDecodesPerGraph;
}

std::size_t free_device_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return free;
}

DecodeTiming time_decode(const EncodedLists& lists, const std::uint32_t* expected, int repeats) {
  Rotation rotation(lists);
  OwnedStream stream;
  DecodeTiming timing;
  timing.launch_seconds =
      time_each(stream, repeats, [&](int turn) { rotation.decode(turn, stream); });
  if (lists.values() > 0) {
    DecodeGraph graph(stream, [&](int turn) { rotation.decode(turn, stream); });
    timing.graph_seconds =
        time_each(stream, repeats, [&](int) { graph.replay(stream); }) / kDecodesPerGraph;
  }
  stream.wait();
  timing.verified = rotation.matches(lists, expected);
  return timing;
}

}  // namespace gannet::measure
