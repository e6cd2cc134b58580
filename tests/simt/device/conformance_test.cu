// The hardware does what the formulas say that the emulator is held to.
#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "tests/support/simt/conformance/suite.hpp"

namespace gannet::test::conformance {

bool device_is_there() { return codecs::cuda::available(); }

template <class Case>
std::vector<std::uint64_t> run_on_device(const std::vector<Input>& inputs) {
  namespace cuda = codecs::cuda;
  const cuda::OwnedStream stream;
  cuda::DeviceArray<Input> given(inputs.size());
  cuda::DeviceArray<std::uint64_t> computed(inputs.size());
  cuda::check(cudaMemcpy(given.data(), inputs.data(), given.bytes(), cudaMemcpyHostToDevice),
              "cudaMemcpy");
  cuda::launch_kernel({"a case of the emulator's", static_cast<unsigned>(inputs.size() / kLanes),
                       kLanes, 0, stream},
                      run_case<Case>, given.data(), computed.data());
  stream.wait();
  std::vector<std::uint64_t> results(inputs.size());
  cuda::check(cudaMemcpy(results.data(), computed.data(), computed.bytes(), cudaMemcpyDeviceToHost),
              "cudaMemcpy");
  return results;
}

INSTANTIATE_TYPED_TEST_SUITE_P(Cuda, Conformance, Cases, CaseNames);

}  // namespace gannet::test::conformance
