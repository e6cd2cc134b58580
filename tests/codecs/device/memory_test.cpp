// What is uploaded is there for every stream, however busy the device is.
#include "codecs/base/cuda/memory.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <numeric>
#include <span>
#include <thread>
#include <vector>

#include "codecs/base/cuda/device.hpp"

namespace gannet::codecs::cuda {
namespace {

class CudaMemory : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
};

/// Keeps the default stream waiting for a while.
class Gate {
 public:
  Gate()
      : opener_([this] {
          std::this_thread::sleep_for(std::chrono::milliseconds(200));
          open_ = true;
        }) {
    check(cudaLaunchHostFunc(cudaStreamLegacy, wait, this), "cudaLaunchHostFunc");
  }
  ~Gate() {
    opener_.join();
    cudaStreamSynchronize(cudaStreamLegacy);
  }

  bool open() const { return open_; }

 private:
  static void wait(void* gate) {
    while (!static_cast<Gate*>(gate)->open_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  std::atomic<bool> open_{false};
  std::thread opener_;
};

/// Streams of our own do not wait for the default one, in which upload() copies and fills.
TEST_F(CudaMemory, UploadsReturnWhenTheyAreComplete) {
  const DeviceArray<std::uint32_t> warm(1024);  // so that small arrays are cut from what is there
  {
    // What upload() does, but for waiting. Were the default stream waited for here, the test below
    // could not fail.
    const Gate gate;
    DeviceArray<std::uint32_t> array(4);
    check(cudaMemcpy(array.data(), nullptr, 0, cudaMemcpyHostToDevice), "cudaMemcpy");
    check(cudaMemset(array.data(), 0, array.bytes()), "cudaMemset");
    EXPECT_FALSE(gate.open()) << "the calls wait by themselves";
  }
  const Gate gate;
  const auto uploaded = upload(std::span<const std::uint32_t>(), 4);
  EXPECT_TRUE(gate.open()) << "upload() returned before its work was done";
}

/// Whatever their size, and while a large copy is under way.
TEST_F(CudaMemory, UploadsHaveTheirValuesForEveryStream) {
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
