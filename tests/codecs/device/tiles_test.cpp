// Columns of tile codecs on the device: what the host decodes, for all lengths and distributions,
// those of runs among them, and for the types that hold fewer bits.
#include <gtest/gtest.h>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/device/columns.hpp"
#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::ValueType;

template <class C>
class CudaTiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!codecs::cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }

  /// Decodes a column of T into poisoned memory and compares every byte, and some behind it.
  template <class T>
  static bool decodes(const Words& values) {
    constexpr std::size_t kBehindValues = 16;
    constexpr int kPoison = 0xa5;
    std::vector<T> expected(values.size());
    Words widened(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      expected[i] = static_cast<T>(values[i]);
      widened[i] = expected[i];
    }
    const Words words = encoded<C>(widened);
    const codecs::cuda::DeviceColumn column(C::id, codecs::value_type_of<T>(), words,
                                            static_cast<std::uint32_t>(values.size()));
    codecs::cuda::DeviceArray<T> out(values.size() + kBehindValues);
    codecs::cuda::check(cudaMemset(out.data(), kPoison, out.bytes()), "cudaMemset");
    codecs::cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    const codecs::cuda::OwnedStream stream;
    column.decode_async(out.data(), stream);
    stream.wait();
    T poison;
    std::memset(&poison, kPoison, sizeof(poison));
    expected.insert(expected.end(), kBehindValues, poison);
    std::vector<T> decoded(out.size());
    codecs::cuda::check(cudaMemcpy(decoded.data(), out.data(), out.bytes(), cudaMemcpyDeviceToHost),
                        "cudaMemcpy");
    return decoded == expected;
  }
};
TYPED_TEST_SUITE(CudaTiles, CodecTypes, CodecNames);

TYPED_TEST(CudaTiles, EveryLengthOfEveryDistribution) {
  for (const auto& distribution : distributions()) {
    for (const std::uint32_t count : boundary_lengths()) {
      ASSERT_TRUE(this->template decodes<std::uint32_t>(distribution.make(count)))
          << distribution.name << ", length " << count;
    }
  }
}

TYPED_TEST(CudaTiles, ALongColumnOfChangingWidthsAndRuns) {
  Random random(5);
  Words values;
  while (values.size() < 3000000) {
    const std::uint32_t size = random() % 5000;
    const std::uint32_t bits = random() % 33;
    const Words part =
        random() % 2 == 0 ? uniform(size, bits, random())
                          : runs(size, 1 + (random() % 64) * (random() % 16) / 4.0, bits, random());
    values.insert(values.end(), part.begin(), part.end());
  }
  EXPECT_TRUE(this->template decodes<std::uint32_t>(values));
}

TYPED_TEST(CudaTiles, SmallerTypes) {
  for (const std::uint32_t count : {1u, 3u, 129u, 1023u, 1025u, 70001u}) {
    EXPECT_TRUE(this->template decodes<std::uint8_t>(uniform(count, 8))) << count;
    EXPECT_TRUE(this->template decodes<std::uint16_t>(uniform(count, 16))) << count;
    EXPECT_TRUE(this->template decodes<std::uint16_t>(runs(count, 7, 11))) << count;
  }
}

}  // namespace
}  // namespace gannet::test
