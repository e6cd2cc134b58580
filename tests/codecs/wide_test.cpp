// The parts that wide forms of tile codecs are made of, run on the host's lanes.
#include <gtest/gtest.h>

#include <type_traits>

#include "codecs/core/miniblocks.hpp"
#include "codecs/core/packed_sums.hpp"
#include "codecs/core/staged_tiles.hpp"
#include "codecs/core/unpack_quad.hpp"
#include "codecs/core/wide_scan.hpp"
#include "tests/support/codecs/codec_types.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/codecs/values.hpp"

namespace gannet::test {
namespace {

using codecs::kWideTiles;
using codecs::SerialLanes;
using codecs::WidthClass;

template <WidthClass kClass>
void expect_unpacks(const Words& words, std::uint32_t least, std::uint32_t most) {
  for (std::uint32_t width = least; width <= most; ++width) {
    for (std::uint32_t q = 0; q < 32; ++q) {
      const codecs::Quad quad = codecs::unpack_quad<kClass>(words.data(), q, width);
      for (std::uint32_t i = 0; i < 4; ++i) {
        ASSERT_EQ(quad.value[i], codecs::extract(words.data(), (4 * q + i) * width, width))
            << "width " << width << " value " << 4 * q + i;
      }
    }
  }
}

TEST(Wide, UnpackQuadIsExtract) {
  const Words words = uniform(128 + codecs::kOverread, 32);
  expect_unpacks<WidthClass::kUpTo8>(words, 0, 8);
  expect_unpacks<WidthClass::kUpTo16>(words, 0, 16);
  expect_unpacks<WidthClass::kUpTo32>(words, 0, 32);
}

TEST(Wide, ClassesOfWidths) {
  for (std::uint32_t width = 0; width <= 32; ++width) {
    const WidthClass expected = codecs::width_class(width);
    for (std::uint32_t t = 0; t < kWideTiles; ++t) {
      for (std::uint32_t mini = 0; mini < 4; ++mini) {
        std::uint32_t widths[kWideTiles] = {0, 0, 0, 0};
        widths[t] = width << 8 * mini;
        EXPECT_EQ(codecs::width_class_of(widths), expected) << width;
      }
    }
  }
}

TEST(Wide, MinisStartBehindThoseBefore) {
  EXPECT_EQ(codecs::mini_start(0x20202020u, 0), 0u);
  EXPECT_EQ(codecs::mini_start(0x20202020u, 3), 96u);
  EXPECT_EQ(codecs::mini_start(0x04030201u, 1), 1u);
  EXPECT_EQ(codecs::mini_start(0x04030201u, 2), 3u);
  EXPECT_EQ(codecs::mini_start(0x04030201u, 3), 6u);
}

TEST(Wide, ScansOfSmallNumbersAreScans) {
  for (const bool small : {false, true}) {
    SerialLanes::Var<std::uint32_t> x[kWideTiles];
    for (std::uint32_t t = 0; t < kWideTiles; ++t) {
      for (std::uint32_t lane = 0; lane < 32; ++lane) x[t][lane] = (lane + 7 * t) % 2048;
    }
    std::uint32_t totals[kWideTiles];
    codecs::scan_wide(SerialLanes{}, small, x, totals);
    for (std::uint32_t t = 0; t < kWideTiles; ++t) {
      std::uint32_t sum = 0;
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(x[t][lane], sum);
        sum += lane + 7 * t;
      }
      EXPECT_EQ(totals[t], sum);
    }
  }
}

TEST(Wide, PackedSumsAreSums) {
  for (std::uint32_t width = 0; width <= 32; ++width) {
    for (const Words& words :
         {uniform(32 + codecs::kOverread, 32, width), Words(36, 0xffffffffu)}) {
      std::uint64_t expected = 0;
      for (std::uint32_t i = 0; i < 32; ++i) {
        expected += codecs::extract(words.data(), i * width, width);
      }
      for (std::uint32_t swizzle = 0; swizzle < 32; ++swizzle) {
        codecs::with_width(width, [&]<std::uint32_t kWidth>() {
          EXPECT_EQ((codecs::sum_packed<kWidth, 32>(words.data(), swizzle)), expected) << width;
          EXPECT_EQ((codecs::sum_packed<kWidth, 2>(words.data(), swizzle % 2)), expected) << width;
        });
      }
    }
  }
}

}  // namespace
}  // namespace gannet::test
