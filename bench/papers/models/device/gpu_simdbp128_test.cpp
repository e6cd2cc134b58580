// gpu-simdbp128 on the device: the values that the host gives, and nothing behind them.
#include "bench/papers/models/gpu_simdbp128.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "bench/papers/models/gpu_simdbp128_decode.hpp"
#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

namespace cuda = codecs::cuda;
using codecs::papers::GpuSimdBp128;

constexpr std::uint32_t kFence = 64;
constexpr std::uint32_t kPoison = 0xa5a5a5a5u;

TEST(CudaSimdBp128, EveryWidthAndLength) {
  if (!cuda::available()) GTEST_SKIP() << "no GPU";
  const cuda::OwnedStream stream;
  for (std::uint32_t bits = 0; bits <= 32; ++bits) {
    for (const std::uint32_t count : {1u, 127u, 128u, 129u, 1025u, 4095u, 4096u, 4097u, 100'000u}) {
      const Words values = uniform(count, bits, bits + count);
      const Words words = encoded<GpuSimdBp128>(values);
      const auto column = cuda::upload(std::span<const std::uint32_t>(words), 4);
      cuda::DeviceArray<std::uint32_t> out(count + kFence);
      cuda::check(cudaMemset(out.data(), 0xa5, out.bytes()), "cudaMemset");
      cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
      codecs::papers::decode_simdbp128_async(column.data(), words.size(), count, out.data(),
                                             stream);
      stream.wait();
      Words decoded(count + kFence);
      cuda::check(cudaMemcpy(decoded.data(), out.data(), out.bytes(), cudaMemcpyDeviceToHost),
                  "cudaMemcpy");
      ASSERT_TRUE(std::equal(values.begin(), values.end(), decoded.begin()))
          << bits << " bits, " << count << " values";
      ASSERT_EQ(std::count(decoded.begin() + count, decoded.end(), kPoison), kFence);
    }
  }
}

}  // namespace
}  // namespace gannet::test
