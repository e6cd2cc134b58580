#include "codecs/positions/position_code.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

#include "codecs/positions/position_sizes.hpp"

namespace gannet::codecs {
namespace {

using Numbers = std::vector<std::uint32_t>;

/// The code of `positions` at bit `at`, between bits that are 0, with its padding.
std::vector<std::uint8_t> encoded(const Numbers& positions, std::uint32_t span,
                                  std::uint64_t at = 0) {
  const auto count = static_cast<std::uint32_t>(positions.size());
  const std::uint64_t bits = at + position_bits(count, span);
  std::vector<std::uint8_t> bytes((bits + 7) / 8 + kPositionPadding);
  encode_positions(positions.data(), count, span, bytes.data(), at);
  return bytes;
}

struct Decoded {
  Numbers positions;
  bool sound = false;
  bool operator==(const Decoded&) const = default;
};

Decoded decoded(const std::vector<std::uint8_t>& bytes, std::uint32_t count, std::uint32_t span,
                std::uint64_t at = 0) {
  Decoded result;
  result.sound =
      decode_positions(bytes.data(), at, count, span, [&](std::uint32_t i, std::uint32_t position) {
        EXPECT_EQ(i, result.positions.size());
        result.positions.push_back(position);
      });
  return result;
}

/// Whether they come back, at several bits of a byte, and nothing behind their bits is written.
void check(const Numbers& positions, std::uint32_t span) {
  const auto count = static_cast<std::uint32_t>(positions.size());
  for (const std::uint64_t at : {0, 3, 7, 37}) {
    std::vector<std::uint8_t> bytes = encoded(positions, span, at);
    ASSERT_EQ(decoded(bytes, count, span, at), (Decoded{positions, true})) << span << " at " << at;
    for (std::uint64_t i = 0; i < bytes.size() * 8; ++i) {
      if (i >= at && i < at + position_bits(count, span)) continue;
      ASSERT_EQ(bytes[i / 8] >> i % 8 & 1, 0) << "bit " << i;
      bytes[i / 8] = static_cast<std::uint8_t>(bytes[i / 8] | 1u << i % 8);
    }
    // What stands around the code does not matter.
    ASSERT_EQ(decoded(bytes, count, span, at), (Decoded{positions, true}));
  }
}

std::vector<std::uint8_t> golden(const Numbers& positions, std::uint32_t span) {
  std::vector<std::uint8_t> bytes = encoded(positions, span);
  bytes.resize(bytes.size() - kPositionPadding);
  return bytes;
}

using Bytes = std::vector<std::uint8_t>;

TEST(PositionCode, OnePositionIsItself) {
  EXPECT_EQ(golden({0}, 1), Bytes{});
  EXPECT_EQ(golden({6}, 10), Bytes{0x06});
  EXPECT_EQ(golden({300}, 512), (Bytes{0x2c, 0x01}));
  EXPECT_EQ(position_bits(1, 512), 9u);
  EXPECT_EQ(position_bits(1, 513), 10u);
  EXPECT_EQ(position_bits(1, kMaxSpan), 31u);
}

TEST(PositionCode, TwoPositionsAreTheRankOfAPair) {
  EXPECT_EQ(golden({0, 1}, 2), Bytes{});
  EXPECT_EQ(golden({1, 3}, 5), Bytes{0x04});  // 3 * 2 / 2 + 1
  EXPECT_EQ(position_bits(2, 5), 4u);         // 10 pairs
  EXPECT_EQ(position_bits(2, kMaxSpan), 61u);
}

TEST(PositionCode, ThreePositionsAreSplit) {
  // Less their ranks 2, 6, 17 of 18: low parts of 2 bits 2, 2, 1; high parts 0, 1, 4.
  EXPECT_EQ(golden({2, 7, 19}, 20), (Bytes{0x5a, 0x11}));
  EXPECT_EQ(position_bits(3, 20), 13u);
  EXPECT_EQ(golden({0, 2, 4}, 5), Bytes{0x15});
  EXPECT_EQ(position_bits(3, 5), 5u);
}

TEST(PositionCode, NumbersStandPlainWhereThatTakesNoMoreBits) {
  EXPECT_EQ(golden({0, 2, 3}, 4), Bytes{0x06});  // less their ranks 0, 1, 1
  EXPECT_EQ(position_bits(3, 4), 3u);
}

TEST(PositionCode, MoreThanTwoPositionsTakeABitEach) {
  EXPECT_EQ(golden({0, 1, 2, 3}, 4), Bytes{0x00});
  EXPECT_EQ(position_bits(3, 3), 3u);
  EXPECT_EQ(position_bits(kMaxSpan, kMaxSpan), std::uint64_t{kMaxSpan});
  for (std::uint32_t span = 3; span <= 600; ++span) {
    for (std::uint32_t count = 3; count <= span; ++count) {
      ASSERT_GE(position_bits(count, span), count) << count << " of " << span;
    }
  }
}

TEST(PositionCode, AllSetsOfSmallSpansComeBack) {
  for (std::uint32_t span = 1; span <= 12; ++span) {
    for (std::uint32_t set = 1; set < 1u << span; ++set) {
      Numbers positions;
      for (std::uint32_t i = 0; i < span; ++i) {
        if ((set >> i & 1) != 0) positions.push_back(i);
      }
      check(positions, span);
    }
  }
}

/// `count` different numbers below `span`.
Numbers sample(std::uint32_t count, std::uint32_t span, std::mt19937& random) {
  std::uniform_int_distribution<std::uint32_t> any(0, span - 1);
  Numbers positions;
  while (positions.size() < count) {
    while (positions.size() < count) positions.push_back(any(random));
    std::ranges::sort(positions);
    positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  }
  return positions;
}

std::uint32_t below(std::mt19937& random, std::uint32_t limit) {
  return static_cast<std::uint32_t>(random() % limit);
}

TEST(PositionCode, SizesAreThoseOfTheShape) {
  Numbers counts, spans;
  for (std::uint32_t span = 1; span <= 700; ++span) {
    for (std::uint32_t count = 1; count <= span; ++count) {
      counts.push_back(count);
      spans.push_back(span);
    }
  }
  std::mt19937 random(7);
  for (int i = 0; i < 200'000; ++i) {
    const std::uint32_t most = i % 2 == 0 ? kMaxSpan : kMaxSizedSpan;
    spans.push_back(1 + (below(random, most) >> below(random, 31)));
    counts.push_back(1 + (below(random, spans.back()) >> below(random, 31)));
  }
  Numbers few_counts, few_spans;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    ASSERT_EQ(position_bits(counts[i], spans[i]), PositionShape(counts[i], spans[i]).bits())
        << counts[i] << " of " << spans[i];
    if (spans[i] > kMaxSizedSpan) continue;
    few_counts.push_back(counts[i]);
    few_spans.push_back(spans[i]);
  }
  Numbers sizes(few_counts.size());
  position_sizes(few_counts.data(), few_spans.data(), sizes.size(), sizes.data());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    ASSERT_EQ(sizes[i], position_bits(few_counts[i], few_spans[i]))
        << few_counts[i] << " of " << few_spans[i];
  }
  EXPECT_GT(sizes.size(), 300'000u);
}

/// Those of `begins` whose place, `shift` behind them, is coded.
void check_kept(const Numbers& positions, std::uint32_t span, std::uint32_t shift,
                const Numbers& begins) {
  const auto count = static_cast<std::uint32_t>(positions.size());
  Numbers expected;
  for (const std::uint32_t begin : begins) {
    if (std::ranges::binary_search(positions, begin + shift)) expected.push_back(begin);
  }
  for (const std::uint64_t at : {0, 5, 61}) {
    const std::vector<std::uint8_t> bytes = encoded(positions, span, at);
    Numbers kept = begins;
    kept.resize(keep_positions(bytes.data(), at, count, span, shift, kept.data(),
                               static_cast<std::uint32_t>(kept.size())));
    ASSERT_EQ(kept, expected) << count << " of " << span << ", shift " << shift;
  }
}

TEST(PositionCode, PlacesAreKeptAsDecodingFindsThem) {
  for (std::uint32_t span = 1; span <= 9; ++span) {
    Numbers all(span);
    std::iota(all.begin(), all.end(), 0u);
    for (std::uint32_t set = 1; set < 1u << span; ++set) {
      Numbers positions;
      for (std::uint32_t i = 0; i < span; ++i) {
        if ((set >> i & 1) != 0) positions.push_back(i);
      }
      for (const std::uint32_t shift : {0, 1, 4}) check_kept(positions, span, shift, all);
    }
  }
  std::mt19937 random(11);
  for (int i = 0; i < 3000; ++i) {
    const std::uint32_t span = 1 + below(random, i % 3 == 0 ? 40 : i % 3 == 1 ? 2000 : 100'000);
    const Numbers positions = sample(1 + below(random, std::min(span, 300u)), span, random);
    const Numbers wanted =
        sample(1 + below(random, std::min(span, i % 2 == 0 ? 5u : 300u)), span, random);
    Numbers begins;
    const std::uint32_t shift = below(random, 3);
    // Some that are coded, among some that are mostly not.
    for (const std::uint32_t one : wanted) {
      if (one >= shift) begins.push_back(one - shift);
    }
    for (const std::uint32_t one : positions) {
      if (one >= shift && below(random, 4) == 0) begins.push_back(one - shift);
    }
    std::ranges::sort(begins);
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    check_kept(positions, span, shift, begins);
  }
}

/// Bytes that are no code, at the end of their room: nothing behind it is read.
TEST(PositionCode, KeepingReadsNothingElseOfDamagedCodes) {
  const std::vector<std::uint8_t> ones(16, 0xff);
  for (const std::uint32_t count : {1, 2}) {
    std::uint32_t begin = 0;
    EXPECT_EQ(keep_positions(ones.data(), 0, count, 5, 0, &begin, 1), 0u)
        << "no place of a text of 5";
  }
  std::mt19937 random(13);
  for (int i = 0; i < 20'000; ++i) {
    const std::uint32_t span = 1 + below(random, 3000);
    const std::uint32_t count = 1 + below(random, std::min(span, 200u));
    const std::uint64_t bits = position_bits(count, span);
    const std::uint64_t bit = below(random, 100);
    std::vector<std::uint8_t> bytes(((bit + bits + 7) / 8 + kPositionPadding + 3) / 4 * 4);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    Numbers begins = sample(1 + below(random, std::min(span, 20u)), span, random);
    const std::uint32_t kept =
        keep_positions(bytes.data(), bit, count, span, below(random, 3), begins.data(),
                       static_cast<std::uint32_t>(begins.size()));
    ASSERT_LE(kept, begins.size());
  }
}

std::uint32_t below(std::uint32_t n, std::mt19937& random) {
  return static_cast<std::uint32_t>(random()) % n;
}

/// Of any size: as many of few bits as of many.
std::uint32_t random_span(std::mt19937& random) {
  return 1 + (static_cast<std::uint32_t>(random()) >> below(32, random)) % kMaxSpan;
}

TEST(PositionCode, RandomPositionsComeBack) {
  std::mt19937 random(34);
  for (int round = 0; round < 2000; ++round) {
    const std::uint32_t span = random_span(random);
    const std::uint32_t most = std::max(1u, std::min(span / 2, 60u));
    check(sample(1 + below(most, random), span, random), span);
  }
}

TEST(PositionCode, TheEndsOfTheLargestSpanComeBack) {
  const std::uint32_t n = kMaxSpan;
  for (const Numbers& positions :
       {Numbers{0}, Numbers{n - 1}, Numbers{0, n - 1}, Numbers{n - 2, n - 1}, Numbers{0, 1},
        Numbers{0, 1, n - 1}, Numbers{n - 3, n - 2, n - 1}, Numbers{0, 1, 2}}) {
    check(positions, n);
  }
}

TEST(PositionCode, EveryPositionOfALongText) {
  Numbers positions(5000);
  std::iota(positions.begin(), positions.end(), 0u);
  EXPECT_EQ(position_bits(5000, 5000), 5000u);
  check(positions, 5000);
  positions.back() = 5100;
  check(positions, 5101);
}

/// log2 of the number of pairs, sets: no code may be smaller, and this one is not much larger.
TEST(PositionCode, SizesStayNearTheEntropy) {
  for (const std::uint32_t span : {50u, 300u, 5000u, 1000000u}) {
    for (const std::uint32_t count : {1u, 2u, 3u, 5u, 10u, 50u}) {
      if (count >= span) continue;
      double entropy = 0;
      for (std::uint32_t i = 0; i < count; ++i) entropy += std::log2((span - i) / (i + 1.0));
      const auto bits = static_cast<double>(position_bits(count, span));
      EXPECT_GE(bits, entropy - 1e-6) << count << " of " << span;
      EXPECT_LE(bits, entropy + count * 0.8 + 1.5) << count << " of " << span;
    }
  }
}

TEST(PositionCode, DamageGivesAscendingPositionsBelowTheSpanOrAnError) {
  std::mt19937 random(35);
  std::size_t refused = 0;
  for (int round = 0; round < 20000; ++round) {
    const std::uint32_t span = random_span(random);
    const std::uint32_t count = 1 + below(std::min(span, 100u), random);
    // Exactly as large as a reader may look, so that sanitizers see a byte too many.
    const std::uint64_t bits = position_bits(count, span);
    std::vector<std::uint8_t> bytes((bits + 7) / 8 + kPositionPadding);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
    const Decoded result = decoded(bytes, count, span);
    EXPECT_TRUE(!result.sound || result.positions.size() == count);
    EXPECT_LE(result.positions.size(), count);
    for (std::size_t i = 0; i < result.positions.size(); ++i) {
      ASSERT_LT(result.positions[i], span);
      if (i == 0) continue;
      ASSERT_LT(result.positions[i - 1], result.positions[i]);
    }
    refused += result.sound ? 0 : 1;
  }
  EXPECT_GT(refused, 1000u);
}

TEST(PositionCode, AFlippedBitOfTheUnaryPartIsSeen) {
  const Numbers positions{2, 7, 19};
  for (std::size_t bit = 6; bit < 13; ++bit) {
    std::vector<std::uint8_t> bytes = encoded(positions, 20);
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ 1u << bit % 8);
    EXPECT_FALSE(decoded(bytes, 3, 20).sound) << bit;
  }
}

}  // namespace
}  // namespace gannet::codecs
