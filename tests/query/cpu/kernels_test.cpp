// The kernels of the pruned search: every level that this processor has against plain definitions.
#include "query/cpu/pruned/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <random>
#include <vector>

namespace gannet::query {
namespace {

using codecs::SimdLevel;

class Kernels : public testing::TestWithParam<SimdLevel> {
 protected:
  void SetUp() override {
    if (GetParam() > codecs::best_simd_level()) {
      GTEST_SKIP() << "this processor has no " << name_of(GetParam());
    }
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(random_() % n); }
  std::uint64_t word() { return std::uint64_t{random_()} << 32 | random_(); }
  const PrunedKernels& kernels() const { return pruned_kernels(GetParam()); }

  std::mt19937 random_{5};
};

TEST_P(Kernels, AddCodesRoundsDown) {
  for (const std::uint32_t weight : {0u, 1u, 255u, 256u, 257u, 40000u, 65278u}) {
    std::vector<std::uint8_t> codes(256 + 64);
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint8_t>(i);
    std::vector<std::uint16_t> sums(codes.size(), 100);
    kernels().add_codes(codes.data(), static_cast<std::uint16_t>(weight),
                        static_cast<std::uint32_t>(codes.size()), sums.data());
    for (std::size_t i = 0; i < codes.size(); ++i) {
      ASSERT_EQ(sums[i], (100 + codes[i] * weight / 256) & 0xffff) << i;
    }
  }
}

TEST_P(Kernels, DropAbsentKeepsWhatIsThere) {
  std::vector<std::uint8_t> codes(192);
  for (std::uint8_t& code : codes) code = static_cast<std::uint8_t>(below(3) * below(200));
  std::vector<std::uint16_t> sums(codes.size());
  for (std::uint16_t& sum : sums) sum = static_cast<std::uint16_t>(below(65536));
  const std::vector<std::uint16_t> before = sums;
  kernels().drop_absent(codes.data(), 192, sums.data());
  for (std::size_t i = 0; i < codes.size(); ++i) {
    ASSERT_EQ(sums[i], codes[i] == 0 ? 0 : before[i]) << i;
  }
}

TEST_P(Kernels, CollectFindsAllThatReachTheLimit) {
  std::vector<std::uint16_t> sums(640);
  for (std::uint16_t& sum : sums) sum = static_cast<std::uint16_t>(below(65536));
  sums[0] = sums[639] = 65535;
  for (const std::uint32_t least : {1u, 2u, 30000u, 32767u, 32768u, 65534u, 65535u}) {
    std::vector<std::uint32_t> expected;
    for (std::uint32_t i = 0; i < sums.size(); ++i) {
      if (sums[i] >= least) expected.push_back(7 + i);
    }
    std::vector<std::uint32_t> found(sums.size());
    found.resize(
        kernels().collect(sums.data(), 640, static_cast<std::uint16_t>(least), 7, found.data()));
    ASSERT_EQ(found, expected) << least;
  }
}

TEST_P(Kernels, RangeMapsOfAscendingDocids) {
  for (int round = 0; round < 400; ++round) {
    alignas(64) std::array<std::uint32_t, 128> docids;
    const std::uint32_t gaps = 1u << (round % 8);
    // Also at the end of what docids can be.
    std::uint32_t docid = round % 3 == 0 ? 0xffffffffu - 129 * gaps : below(500);
    const std::uint32_t size = 1 + below(128);
    for (std::uint32_t i = 0; i < 128; ++i) {
      docids[i] = i < size ? docid : 0xffffffffu;
      docid += 1 + below(gaps);
    }
    std::uint32_t position = 0;
    for (std::uint32_t first = docids[0] / 64 * 64; first <= docids[size - 1] && first <= ~63u - 64;
         first += 64) {
      std::uint64_t expected = 0;
      for (std::uint32_t i = 0; i < size; ++i) {
        if (docids[i] >= first && docids[i] - first < 64) expected |= 1ull << (docids[i] - first);
      }
      ASSERT_EQ(kernels().range_map(docids.data(), first, position), expected) << first;
      const auto begin = std::lower_bound(docids.begin(), docids.end(), first) - docids.begin();
      ASSERT_EQ(position, begin);
    }
  }
}

TEST_P(Kernels, RaiseAddsWhereBitsAreSetAndSaturates) {
  for (int round = 0; round < 300; ++round) {
    alignas(64) std::array<std::uint16_t, 64> sums, expected;
    for (std::uint16_t& sum : sums) sum = static_cast<std::uint16_t>(below(65536));
    const std::uint64_t map = round % 4 == 0 ? 0 : round % 4 == 1 ? ~0ull : word();
    const auto bound = static_cast<std::uint16_t>(below(65536));
    const auto least = static_cast<std::uint16_t>(round % 5 == 0 ? 0 : below(65536));
    std::uint64_t reached = 0;
    for (std::uint32_t i = 0; i < 64; ++i) {
      const std::uint32_t more = (map >> i & 1) != 0 ? bound : 0;
      expected[i] = static_cast<std::uint16_t>(std::min(sums[i] + more, 65535u));
      reached |= std::uint64_t{expected[i] >= least} << i;
    }
    alignas(64) std::array<std::uint16_t, 64> raised;
    ASSERT_EQ(kernels().raise(sums.data(), raised.data(), map, bound, least), reached);
    ASSERT_EQ(raised, expected);
    ASSERT_EQ(kernels().raise(sums.data(), sums.data(), map, bound, least), reached);
    ASSERT_EQ(sums, expected);
  }
}

TEST_P(Kernels, RanksCountTheBitsBelow) {
  for (int round = 0; round < 300; ++round) {
    const std::uint64_t among = round == 0 ? ~0ull : word() & word();
    const std::uint64_t chosen = round < 2 ? ~0ull : word() & among;
    std::vector<std::uint8_t> expected;
    for (std::uint32_t i = 0; i < 64; ++i) {
      const std::uint64_t below = (std::uint64_t{1} << i) - 1;
      if ((chosen >> i & 1) != 0) {
        expected.push_back(static_cast<std::uint8_t>(std::popcount(among & below)));
      }
    }
    std::vector<std::uint8_t> found(64);
    found.resize(kernels().ranks(chosen, among, found.data()));
    ASSERT_EQ(found, expected);
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, Kernels,
                         testing::Values(SimdLevel::kPortable, SimdLevel::kAvx2,
                                         SimdLevel::kAvx512),
                         [](const auto& level) { return std::string(name_of(level.param)); });

}  // namespace
}  // namespace gannet::query
