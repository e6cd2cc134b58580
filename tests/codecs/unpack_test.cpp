// The host's special forms against the plain definitions.
#include "codecs/core/unpack.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "codecs/core/unpack_kernels.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"

namespace gannet::test {
namespace {

/// The levels that this processor has.
std::vector<codecs::SimdLevel> levels() {
  std::vector<codecs::SimdLevel> found;
  for (const auto level :
       {codecs::SimdLevel::kPortable, codecs::SimdLevel::kAvx2, codecs::SimdLevel::kAvx512}) {
    if (level <= codecs::best_simd_level()) found.push_back(level);
  }
  return found;
}

TEST(Unpack, EveryWidthEqualsExtractAtEveryLevel) {
  for (std::uint32_t width = 0; width <= 32; ++width) {
    // Any bits are packed values. The fence is where the last word ends.
    const FencedWords packed(uniform(4 * width, 32, width + 1), kBehind);
    for (const auto level : levels()) {
      const FencedWords out(128, kBehind);
      codecs::unpack_kernels(level).unpack128(packed.data(), width, out.data());
      for (std::uint32_t i = 0; i < 128; ++i) {
        ASSERT_EQ(out.data()[i], codecs::extract(packed.data(), i * width, width))
            << width << " bits, " << name_of(level);
      }
    }
    const FencedWords run(std::span<const std::uint32_t>(packed.span()).first(width), kBehind);
    const FencedWords run_out(32, kBehind);
    codecs::unpack32(run.data(), width, run_out.data());
    for (std::uint32_t i = 0; i < 32; ++i) {
      ASSERT_EQ(run_out.data()[i], codecs::extract(run.data(), i * width, width)) << width;
    }
  }
}

TEST(Unpack, BytesOfEveryLength) {
  for (std::uint32_t round = 0; round < 50; ++round) {
    const Words selectors = uniform(8, 32, round + 1);
    std::uint32_t length = 0;
    for (std::uint32_t i = 0; i < 128; ++i) length += 1 + (selectors[i / 16] >> (2 * (i % 16)) & 3);
    const FencedWords data(uniform((length + 3) / 4 + 1, 32, round + 100), kBehind);
    const FencedWords out(128, kBehind);
    const auto* bytes = reinterpret_cast<const unsigned char*>(data.data());
    ASSERT_EQ(codecs::unpack_bytes128(selectors.data(), bytes, out.data()), length);
    for (std::uint32_t i = 0, bit = 0; i < 128; ++i) {
      const std::uint32_t bits = 8 * (1 + (selectors[i / 16] >> (2 * (i % 16)) & 3));
      ASSERT_EQ(out.data()[i], codecs::extract(data.data(), bit, bits)) << i;
      bit += bits;
    }
  }
}

TEST(Unpack, SumsWrapAroundAtEveryLevel) {
  for (const auto level : levels()) {
    for (const std::uint32_t step : {0u, 1u, 0xfffffffeu}) {
      for (const std::uint32_t previous : {0u, 7u, 0xffffffffu}) {
        const Words values = uniform(128, 32, step + previous);
        const FencedWords sums(values, kBehind);
        const std::uint32_t last =
            codecs::unpack_kernels(level).sum128(sums.data(), step, previous);
        std::uint32_t expected = previous;
        for (std::uint32_t i = 0; i < 128; ++i) {
          expected += values[i] + step;
          ASSERT_EQ(sums.data()[i], expected) << i << ", " << name_of(level);
        }
        EXPECT_EQ(last, expected);
      }
    }
  }
}

}  // namespace
}  // namespace gannet::test
