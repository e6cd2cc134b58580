// Launching what "may be captured in a graph" in both ways.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"

namespace gannet::test {

/// A graph of what `launch()` puts on `stream`. A capture fails at whatever allocates, waits, or
/// uses the default stream.
class CapturedGraph {
 public:
  template <class Launch>
  CapturedGraph(cudaStream_t stream, const Launch& launch) {
    using codecs::cuda::check;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "begin capture");
    launch();
    check(cudaStreamEndCapture(stream, &graph_), "end capture");
    check(cudaGraphInstantiate(&ready_, graph_, 0), "instantiate");
  }
  ~CapturedGraph() {
    cudaGraphExecDestroy(ready_);
    cudaGraphDestroy(graph_);
  }
  CapturedGraph(const CapturedGraph&) = delete;
  CapturedGraph& operator=(const CapturedGraph&) = delete;

  void launch(cudaStream_t stream) const {
    codecs::cuda::check(cudaGraphLaunch(ready_, stream), "cudaGraphLaunch");
  }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t ready_ = nullptr;
};

/// Calls `launch(stream)` on a stream of its own, once plainly and once while the stream is
/// captured; the graph is launched twice. Before each run the output is filled with other bytes,
/// after each it must be `expected`.
template <class T, class Launch>
void expect_launches_give(codecs::cuda::DeviceArray<T>& output, const std::vector<T>& expected,
                          const std::string& what, const Launch& launch, int filling = 0xa5) {
  namespace cuda = codecs::cuda;
  SCOPED_TRACE(what);
  const cuda::OwnedStream stream;
  const auto fill = [&] {
    cuda::check(cudaMemset(output.data(), filling, output.bytes()), "cudaMemset");
    cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  };
  const auto compare = [&](const char* how) {
    stream.wait();
    std::vector<T> result(expected.size());
    ASSERT_LE(expected.size(), output.size());
    cuda::check(
        cudaMemcpy(result.data(), output.data(), result.size() * sizeof(T), cudaMemcpyDeviceToHost),
        "cudaMemcpy");
    EXPECT_EQ(result, expected) << how;
  };
  fill();
  launch(stream);
  compare("launched plainly");

  const CapturedGraph graph(stream, [&] { launch(stream); });
  for (const char* how : {"captured, first launch", "captured, second launch"}) {
    fill();
    graph.launch(stream);
    compare(how);
  }
}

}  // namespace gannet::test
