// The run-length chunk codecs on the device: their decoder gives what the host's gives, also from
// bytes that no encoder wrote; the device's encoder writes the host encoder's bytes.
#include "codecs/cascaded/cascaded.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/columns/raw_chunks.hpp"
#include "codecs/columns/rle.hpp"
#include "codecs/device/cascaded_encode.hpp"
#include "codecs/device/columns.hpp"
#include "tests/support/codecs/column_coding.hpp"
#include "tests/support/codecs/column_values.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {
namespace {

using codecs::Cascaded;
using codecs::CascadedPlan;
using codecs::RawChunks;
using codecs::Rle;
using codecs::value_type_of;

template <class T>
class CudaCascaded : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (!codecs::cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  }
};
TYPED_TEST_SUITE(CudaCascaded, AllValueTypes);

/// What `decode(out, stream)` writes to poisoned device memory; checks what stands behind it.
template <class T, class Decode>
std::vector<T> from_device(std::uint32_t count, const Decode& decode) {
  constexpr std::size_t kBehindBytes = 64;
  codecs::cuda::DeviceArray<std::uint8_t> out(count * sizeof(T) + kBehindBytes);
  const codecs::cuda::OwnedStream stream;
  codecs::cuda::check(cudaMemsetAsync(out.data(), 0xa5, out.size(), stream), "cudaMemsetAsync");
  decode(out.data(), static_cast<cudaStream_t>(stream));
  stream.wait();
  std::vector<std::uint8_t> bytes(out.size());
  codecs::cuda::check(cudaMemcpy(bytes.data(), out.data(), out.size(), cudaMemcpyDeviceToHost),
                      "cudaMemcpy");
  for (std::size_t i = count * sizeof(T); i < bytes.size(); ++i) {
    EXPECT_EQ(bytes[i], 0xa5) << "written behind the values";
  }
  std::vector<T> values(count);
  if (count > 0) std::memcpy(values.data(), bytes.data(), count * sizeof(T));
  return values;
}

template <class C, class T>
std::vector<T> device_decoded(std::span<const std::uint32_t> words, std::uint32_t count) {
  const codecs::cuda::DeviceColumn column(C::id, value_type_of<T>(), words, count);
  return from_device<T>(count,
                        [&](void* out, cudaStream_t stream) { column.decode_async(out, stream); });
}

std::string plan_text(std::uint32_t rles, std::uint32_t deltas, std::uint32_t bitpack) {
  return "rles=" + std::to_string(rles) + ",deltas=" + std::to_string(deltas) +
         ",bitpack=" + std::to_string(bitpack);
}

TYPED_TEST(CudaCascaded, DecodesEveryPlanOfEveryDistribution) {
  for (const auto& distribution : typed_distributions<TypeParam>()) {
    const auto values = distribution.make(3001);
    for (const auto& [rles, deltas, bitpack] : {std::tuple{0, 0, 1},
                                                {0, 1, 1},
                                                {1, 0, 1},
                                                {1, 1, 1},
                                                {2, 1, 1},
                                                {1, 2, 1},
                                                {3, 3, 1},
                                                {0, 7, 1},
                                                {7, 7, 1},
                                                {0, 0, 0},
                                                {0, 2, 0},
                                                {1, 0, 0},
                                                {2, 1, 0}}) {
      const Words words = encoded_column<Cascaded>(values, plan_text(rles, deltas, bitpack));
      ASSERT_EQ((device_decoded<Cascaded, TypeParam>(words, 3001)), values)
          << distribution.name << " " << plan_text(rles, deltas, bitpack);
    }
  }
}

TYPED_TEST(CudaCascaded, DecodesEveryLengthAndChunkSize) {
  for (const std::uint32_t count : {0u, 1u, 2u, 127u, 128u, 129u, 1024u, 5000u, 100000u}) {
    const auto values = random_runs<TypeParam>(count, 9, 64);
    for (std::uint32_t chunk = 128; chunk <= CascadedPlan::most_chunk<TypeParam>; chunk *= 2) {
      const std::string parameters = "rles=1,deltas=1,chunk=" + std::to_string(chunk);
      const Words words = encoded_column<Cascaded>(values, parameters);
      ASSERT_EQ((device_decoded<Cascaded, TypeParam>(words, count)), values) << parameters;
    }
  }
}

TYPED_TEST(CudaCascaded, DecodesPlainRuns) {
  for (const auto& distribution : typed_distributions<TypeParam>()) {
    for (const std::uint32_t count : {0u, 1u, 127u, 2048u, 2049u, 50001u}) {
      const auto values = distribution.make(count);
      for (const char* parameters : {"", "chunk=128", "chunk=4096"}) {
        const Words words = encoded_column<Rle>(values, parameters);
        ASSERT_EQ((device_decoded<Rle, TypeParam>(words, count)), values) << distribution.name;
      }
      if constexpr (RawChunks::takes<TypeParam>) {
        const Words words = encoded_column<RawChunks>(values, "");
        ASSERT_EQ((device_decoded<RawChunks, TypeParam>(words, count)), values)
            << distribution.name;
      }
    }
  }
}

/// Damaged columns that pass validate(): the device decodes what the host decodes.
TYPED_TEST(CudaCascaded, DecodesDamagedColumnsAsTheHostDoes) {
  Random random(16);
  std::uint32_t decoded = 0;
  for (std::uint32_t round = 0; round < 400; ++round) {
    const std::uint32_t count = 1 + random() % 600;
    const auto values = random_runs<TypeParam>(count, 1 + random() % 20, random() % 65, round);
    Words words =
        encoded_column<Cascaded>(values, plan_text(random() % 4, random() % 4, 1) + ",chunk=256");
    damage_column(words, random);
    if (!column_accepted<Cascaded, TypeParam>(words, count)) continue;
    ++decoded;
    ASSERT_EQ((device_decoded<Cascaded, TypeParam>(words, count)),
              (decoded_column<Cascaded, TypeParam>(words, count)));
  }
  EXPECT_GT(decoded, 20u);
}

template <class T>
Words device_encoded(const std::vector<T>& values, const CascadedPlan& plan) {
  return codecs::cuda::cascaded_encode(value_type_of<T>(), std::as_bytes(std::span(values)), plan);
}

template <class T>
Words host_encoded(const std::vector<T>& values, const CascadedPlan& plan) {
  Words words;
  Cascaded::encode_planned<T>(values, plan, words);
  return words;
}

TYPED_TEST(CudaCascaded, EncodesToTheBytesOfTheHost) {
  for (const auto& distribution : typed_distributions<TypeParam>()) {
    const auto values = distribution.make(2777);
    for (std::uint32_t rles = 0; rles <= 3; ++rles) {
      for (std::uint32_t deltas = 0; deltas <= 3; ++deltas) {
        const CascadedPlan plan{rles, deltas, (rles + deltas) % 4 == 3 ? 0u : 1u, 512};
        ASSERT_EQ(device_encoded(values, plan), host_encoded(values, plan))
            << distribution.name << " " << plan_text(rles, deltas, plan.bitpack);
      }
    }
  }
}

TYPED_TEST(CudaCascaded, EncodesEveryLengthAndChunkSize) {
  for (const std::uint32_t count : {0u, 1u, 2u, 3u, 127u, 128u, 129u, 1024u, 5000u, 100000u}) {
    const auto values = random_runs<TypeParam>(count, 9, 64);
    for (std::uint32_t chunk = 128; chunk <= CascadedPlan::most_chunk<TypeParam>; chunk *= 2) {
      for (const CascadedPlan plan : {CascadedPlan{1, 1, 1, chunk}, CascadedPlan{7, 7, 1, chunk}}) {
        ASSERT_EQ(device_encoded(values, plan), host_encoded(values, plan)) << count;
      }
    }
  }
}

TEST(CudaCascadedUse, WrongPlansAndSmallWorkspacesAreRefused) {
  std::string why;
  if (!codecs::cuda::available(&why)) GTEST_SKIP() << "no GPU: " << why;
  const auto type = codecs::ValueType::kI32;
  EXPECT_THROW(codecs::cuda::cascaded_max_words(type, 10, {8, 0, 1, 1024}), UsageError);
  EXPECT_THROW(codecs::cuda::cascaded_workspace_bytes(type, 10, {0, 0, 1, 4096}), UsageError);
  EXPECT_THROW(codecs::cuda::cascaded_max_words(type, 1ull << 40, {0, 0, 1, 1024}), UsageError);
  const std::uint64_t bytes = codecs::cuda::cascaded_workspace_bytes(type, 10, {0, 0, 1, 1024});
  EXPECT_THROW(codecs::cuda::cascaded_encode_async(type, nullptr, 10, {0, 0, 1, 1024}, nullptr,
                                                   bytes - 1, nullptr, nullptr),
               UsageError);
}

}  // namespace
}  // namespace gannet::test
