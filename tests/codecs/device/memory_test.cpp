// What is uploaded is there for every stream, however busy the device is.
#include "codecs/device/memory.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "codecs/device/device.hpp"

namespace gannet::codecs::cuda {
namespace {

class CudaMemory : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
};

/// While a large copy is under way, small ones wait for their turn. (That uploads need not have
/// been complete was seen with several processes on one GPU, and never with one.)
TEST_F(CudaMemory, UploadsAreCompleteForEveryStream) {
  constexpr std::size_t kLarge = 512u << 20;
  PinnedArray<unsigned char> large(kLarge);
  DeviceArray<unsigned char> there(kLarge);
  const OwnedStream busy;
  const OwnedStream reader;
  for (const std::size_t size : {100u, 16'000u, 3'000'000u}) {
    std::vector<std::uint32_t> values(size);
    std::iota(values.begin(), values.end(), static_cast<std::uint32_t>(size));
    DeviceArray<std::uint32_t> copy(size + 4);  // here, because allocating may wait
    check(cudaMemcpyAsync(there.data(), large.data(), kLarge, cudaMemcpyHostToDevice, busy),
          "cudaMemcpyAsync");
    const auto uploaded = upload(std::span<const std::uint32_t>(values), 4);
    // By the device itself, not by the engine that copies to it, whose work is done in order.
    check(cudaMemcpyAsync(copy.data(), uploaded.data(), uploaded.bytes(), cudaMemcpyDeviceToDevice,
                          reader),
          "cudaMemcpyAsync");
    reader.wait();
    std::vector<std::uint32_t> got(uploaded.size());
    check(cudaMemcpy(got.data(), copy.data(), copy.bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy");
    values.resize(size + 4);  // zeros behind
    EXPECT_EQ(got, values) << size;
    busy.wait();
  }
}

}  // namespace
}  // namespace gannet::codecs::cuda
