#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "codecs/device/decode.hpp"
#include "tools/measure/device/decode_timing.hpp"
#include "tools/measure/device/timing.hpp"

namespace gannet::measure {
namespace {

using codecs::EncodedLists;
using codecs::cuda::check;
using codecs::cuda::device_attribute;
using codecs::cuda::DeviceArray;
using codecs::cuda::DeviceLists;
using codecs::cuda::OwnedStream;

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

}  // namespace

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
    DecodeGraph graph(rotation, stream);
    timing.graph_seconds =
        time_each(stream, repeats, [&](int) { graph.replay(stream); }) / kDecodesPerGraph;
  }
  stream.wait();
  timing.verified = rotation.matches(lists, expected);
  return timing;
}

}  // namespace gannet::measure
