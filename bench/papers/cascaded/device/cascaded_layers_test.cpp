// Codec `cascaded` decoded layer by layer gives what was encoded, and writes nothing behind it.
#include "bench/papers/cascaded/cascaded_layers.hpp"

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/cascaded/cascaded.hpp"
#include "tests/support/codecs/column_coding.hpp"
#include "tests/support/codecs/column_values.hpp"

namespace gannet::test {
namespace {

template <class T>
class CudaCascadedLayers : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!codecs::cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
};
TYPED_TEST_SUITE(CudaCascadedLayers, AllValueTypes);

template <class T>
std::vector<T> decoded(const codecs::papers::CascadedLayers& layers, std::uint32_t count) {
  constexpr std::size_t kBehindBytes = 64;
  codecs::cuda::DeviceArray<std::uint8_t> out(count * sizeof(T) + kBehindBytes);
  const codecs::cuda::OwnedStream stream;
  codecs::cuda::check(cudaMemsetAsync(out.data(), 0xa5, out.size(), stream), "cudaMemsetAsync");
  layers.decode_async(out.data(), stream);
  stream.wait();
  std::vector<std::uint8_t> bytes(out.size());
  codecs::cuda::check(cudaMemcpy(bytes.data(), out.data(), out.size(), cudaMemcpyDeviceToHost),
                      "cudaMemcpy");
  for (std::size_t i = count * sizeof(T); i < bytes.size(); ++i) {
    EXPECT_EQ(bytes[i], 0xa5) << "written behind the values";
  }
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data(), count * sizeof(T));
  return values;
}

TYPED_TEST(CudaCascadedLayers, GiveTheValues) {
  for (const auto& distribution : typed_distributions<TypeParam>()) {
    for (const std::uint32_t count : {1u, 130u, 20000u}) {
      const auto values = distribution.make(count);
      for (const std::string plan :
           {"rles=0,deltas=0,bitpack=1", "rles=0,deltas=1,bitpack=1", "rles=0,deltas=3,bitpack=1",
            "rles=1,deltas=0,bitpack=1", "rles=1,deltas=1,bitpack=1", "rles=2,deltas=1,bitpack=1",
            "rles=1,deltas=2,bitpack=1", "rles=3,deltas=3,bitpack=1",
            "rles=2,deltas=1,bitpack=0"}) {
        const auto words = encoded_column<codecs::Cascaded>(values, plan);
        const codecs::papers::CascadedLayers layers(codecs::value_type_of<TypeParam>(), words,
                                                    count);
        ASSERT_EQ(decoded<TypeParam>(layers, count), values) << distribution.name << " " << plan;
      }
    }
  }
}

}  // namespace
}  // namespace gannet::test
