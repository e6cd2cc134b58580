// Launching what "may be captured in a graph" in both ways.
#pragma once

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "codecs/device/device.hpp"
#include "codecs/device/memory.hpp"

namespace gannet::test {

/// Calls `launch(stream)` on a stream of its own, once plainly and once while the stream is
/// captured; the graph is launched twice. Before each run the output is filled with other bytes,
/// after each it must be `expected`. A capture fails at whatever allocates, waits, or uses the
/// default stream.
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

  cudaGraph_t graph = nullptr;
  cudaGraphExec_t ready = nullptr;
  cuda::check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "begin capture");
  launch(stream);
  cuda::check(cudaStreamEndCapture(stream, &graph), "end capture");
  cuda::check(cudaGraphInstantiate(&ready, graph, 0), "instantiate");
  for (const char* how : {"captured, first launch", "captured, second launch"}) {
    fill();
    cuda::check(cudaGraphLaunch(ready, stream), "cudaGraphLaunch");
    compare(how);
  }
  cudaGraphExecDestroy(ready);
  cudaGraphDestroy(graph);
}

}  // namespace gannet::test
