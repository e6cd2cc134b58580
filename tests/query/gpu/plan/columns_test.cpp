// What the host prepares of columns for kernels.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/columns/counting/histogram.hpp"
#include "query/gpu/plan/columns/code_bins.hpp"
#include "query/gpu/plan/columns/counting_way.hpp"
#include "query/gpu/plan/columns/float_sums.hpp"
#include "tests/support/query/fake_fields.hpp"
#include "tests/support/query/random_fields.hpp"
#include "tests/support/random.hpp"

namespace gannet::query::cuda {
namespace {

using test::below;
using Fetched = CountingWay::Fetched;

constexpr std::uint64_t kAllCodes = std::uint64_t{1} << 32;

TEST(CountingWays, FewCodesGoToTheHost) {
  EXPECT_EQ(CountingWay::of(100, 1u << 30, 10), (CountingWay{Fetched::kAll, 0}));
  EXPECT_EQ(CountingWay::of(100, 5, CountsWanted::kAll), (CountingWay{Fetched::kAll, 0}));
  EXPECT_EQ(CountingWay::of(1u << 22, 5, CountsWanted::kAll), (CountingWay{Fetched::kAll, 0}));
  EXPECT_EQ(CountingWay::of((1u << 22) + 1, 5, CountsWanted::kAll), std::nullopt);
}

TEST(CountingWays, ManyCodesOfFewMatchesHaveATable) {
  EXPECT_EQ(CountingWay::of(1'000'000, 1'000'000, 10), (CountingWay{Fetched::kLargest, 0}));
  EXPECT_EQ(CountingWay::of(1'000'000, 1'000'000, 0), (CountingWay{Fetched::kNumber, 0}));
  const auto way = CountingWay::of(kAllCodes, 2'200'000, 0);
  ASSERT_TRUE(way);
  EXPECT_EQ(way->fetched, Fetched::kNumber);
  EXPECT_TRUE(std::has_single_bit(way->table));
  EXPECT_GT(way->table, 2 * 2'200'000u);
  EXPECT_EQ(CountingWay::of(kAllCodes, 0xfffffff0u, 10), std::nullopt);
}

/// A segment's column of random values whose codes have 32 bits.
class SomeColumn {
 public:
  explicit SomeColumn(unsigned seed) : random(seed) {
    const std::uint32_t documents = 1 + below(random, 200);
    std::vector<std::uint32_t> ends{documents};
    if (documents > 2 && below(random, 2) == 0)
      ends = {1 + below(random, documents - 1), documents};
    index.emplace(test::fake_index({test::random_field(random, "f", documents)}, ends, 64));
  }
  const index::FieldColumn& column(std::size_t segment) const {
    return index->segments()[segment]->field(0);
  }
  bool narrow(std::size_t segment) const { return column(segment).code_limit() <= kAllCodes; }

  test::Random random;
  std::optional<index::Index> index;
};

TEST(CodeBins, AreThoseOfKeys) {
  std::size_t looked_at = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    SCOPED_TRACE(seed);
    SomeColumn some(seed);
    HistogramRequest request{"f", static_cast<HistogramStep>(below(some.random, 5))};
    request.width = std::vector<std::string>{"1", "7", "0.25", "1e9"}[below(some.random, 4)];
    std::optional<std::vector<std::uint64_t>> first_keys;
    try {
      first_keys = first_keys_of_bins(*some.index, request);
    } catch (const UsageError&) {
      continue;  // the field has no such bins
    }
    if (!first_keys) continue;
    ASSERT_TRUE(std::ranges::is_sorted(*first_keys));
    for (std::size_t s = 0; s < some.index->segments().size(); ++s) {
      if (!some.narrow(s)) continue;
      const index::FieldColumn& column = some.column(s);
      const CodeBins bins = CodeBins::of({0, 0, *first_keys}, column);
      ASSERT_EQ(bins.firsts.empty(), column.code_limit() == 0);
      if (bins.firsts.empty()) continue;
      ASSERT_EQ(bins.firsts.front(), 0u);
      const BinSlots slots{bins.firsts.data(), static_cast<std::uint32_t>(bins.firsts.size())};
      for (int i = 0; i < 40; ++i) {
        const auto code =
            static_cast<std::uint32_t>(i < 3 ? (column.code_limit() - 1) * (i % 2)
                                             : test::random64(some.random) % column.code_limit());
        const auto after = std::ranges::upper_bound(*first_keys, column.keys().key(code));
        ASSERT_EQ(bins.first + slots.slot(code),
                  static_cast<std::uint64_t>(after - first_keys->begin()) - 1);
        ++looked_at;
      }
    }
  }
  EXPECT_GT(looked_at, 5000u);
}

TEST(FloatSums, HaveRoomForTheLargestValue) {
  std::size_t looked_at = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    const SomeColumn some(seed);
    const index::FieldColumn& column = some.column(0);
    if (column.spec().traits().sums != index::Sums::kFloat || !some.narrow(0)) continue;
    const auto floats = float_sums_of(column);
    ASSERT_TRUE(floats);
    EXPECT_EQ(floats->base, column.keys().base);
    EXPECT_EQ(floats->narrow, column.spec().type == index::FieldType::kFloat32);
    for (std::uint64_t code = 0; code < column.code_limit(); code += 1 + column.code_limit() / 50) {
      const double value = value_number(column.spec(), column.keys().key(code));
      const auto exponent = std::bit_cast<std::uint64_t>(std::abs(value)) >> 52;
      ASSERT_LE(exponent, floats->exponent + FloatSums::kWindow);
      ++looked_at;
    }
  }
  EXPECT_GT(looked_at, 1000u);
}

}  // namespace
}  // namespace gannet::query::cuda
