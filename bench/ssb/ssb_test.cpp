// The star schema's lineorder: the keys and ranges of its specification, what depends on what, and
// the same rows however they are made.
#include "bench/ssb/ssb.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "bench/ssb/ssb_flight1.hpp"
#include "codecs/base/error.hpp"

namespace gannet {
namespace {

using bench::kSsbColumns;
using bench::SsbColumn;
using bench::SsbDate;
using bench::SsbLineorder;
using Column = std::vector<std::uint32_t>;

/// All columns of a small table.
class Ssb : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    table_ = new SsbLineorder(0.05);
    columns_ = new std::vector<Column>(table_->columns(all()));
  }
  static void TearDownTestSuite() {
    delete columns_;
    delete table_;
  }
  static std::vector<SsbColumn> all() {
    std::vector<SsbColumn> result;
    for (std::uint32_t c = 0; c < kSsbColumns; ++c) result.push_back(static_cast<SsbColumn>(c));
    return result;
  }
  static const Column& of(SsbColumn column) {
    return (*columns_)[static_cast<std::uint32_t>(column)];
  }
  static std::size_t rows() { return table_->rows(); }

  /// That a column takes every value of [least, most] about equally often, and no other.
  static void expect_uniform(SsbColumn column, std::uint32_t least, std::uint32_t most) {
    std::map<std::uint32_t, double> counts;
    for (const std::uint32_t value : of(column)) ++counts[value];
    const double expected = static_cast<double>(rows()) / (most - least + 1);
    EXPECT_EQ(counts.begin()->first, least) << name_of(column);
    EXPECT_EQ(counts.rbegin()->first, most) << name_of(column);
    EXPECT_EQ(counts.size(), most - least + 1) << name_of(column);
    for (const auto& [value, count] : counts) {
      EXPECT_NEAR(count / expected, 1, 0.1) << name_of(column) << " " << value;
    }
  }

  static void expect_range(SsbColumn column, std::uint32_t least, std::uint32_t most) {
    const auto [low, high] = std::minmax_element(of(column).begin(), of(column).end());
    EXPECT_GE(*low, least) << name_of(column);
    EXPECT_LE(*high, most) << name_of(column);
    EXPECT_LT(*low, least + (most - least) / 10) << name_of(column);
    EXPECT_GT(*high, most - (most - least) / 10) << name_of(column);
  }

  static SsbLineorder* table_;
  static std::vector<Column>* columns_;
};
SsbLineorder* Ssb::table_ = nullptr;
std::vector<Column>* Ssb::columns_ = nullptr;

TEST_F(Ssb, SizesFollowTheScale) {
  EXPECT_EQ(rows(), 300'000u);
  const SsbLineorder twenty(20);
  EXPECT_EQ(twenty.rows(), 120'000'000u);
  EXPECT_EQ(twenty.customers(), 600'000u);
  EXPECT_EQ(twenty.suppliers(), 40'000u);
  EXPECT_EQ(twenty.parts(), 1'000'000u);
  EXPECT_EQ(SsbLineorder(1).parts(), 200'000u);
  EXPECT_THROW(SsbLineorder(0), UsageError);
  EXPECT_THROW(SsbLineorder(301), UsageError);
}

TEST_F(Ssb, ColumnsHaveTheirDistributions) {
  expect_uniform(SsbColumn::kQuantity, 1, 50);
  expect_uniform(SsbColumn::kDiscount, 0, 10);
  expect_uniform(SsbColumn::kTax, 0, 8);
  expect_uniform(SsbColumn::kShipmode, 0, 6);
  expect_uniform(SsbColumn::kOrdpriority, 0, 4);
  expect_range(SsbColumn::kCustkey, 1, table_->customers());
  expect_range(SsbColumn::kPartkey, 1, table_->parts());
  expect_range(SsbColumn::kSuppkey, 1, table_->suppliers());
  expect_range(SsbColumn::kOrderdate, 19920101, 19980802);
}

/// Orders are consecutive rows with 1 to 7 lines, all numbers equally often, and the keys of the
/// specification.
TEST_F(Ssb, OrdersHaveOneToSevenLines) {
  std::map<std::uint32_t, double> lengths;
  std::uint32_t orders = 0;
  for (std::size_t row = 0; row < rows(); ++orders) {
    std::size_t end = row;
    const std::uint32_t key = of(SsbColumn::kOrderkey)[row];
    ASSERT_EQ(key, orders / 8 * 32 + orders % 8 + 1);
    while (end < rows() && of(SsbColumn::kOrderkey)[end] == key) {
      ASSERT_EQ(of(SsbColumn::kLinenumber)[end], end - row + 1);
      for (const SsbColumn column : {SsbColumn::kCustkey, SsbColumn::kOrderdate,
                                     SsbColumn::kOrdpriority, SsbColumn::kOrdtotalprice}) {
        ASSERT_EQ(of(column)[end], of(column)[row]) << name_of(column);
      }
      ++end;
    }
    ++lengths[static_cast<std::uint32_t>(end - row)];
    row = end;
  }
  EXPECT_EQ(lengths.size(), 7u);
  EXPECT_EQ(lengths.rbegin()->first, 7u);
  for (const auto& [length, count] : lengths) EXPECT_NEAR(count * 7 / orders, 1, 0.01) << length;
}

TEST_F(Ssb, AmountsFollowFromQuantityDiscountAndTax) {
  std::uint64_t total = 0;
  for (std::size_t row = 0; row < 10000; ++row) {
    const std::uint32_t part = of(SsbColumn::kPartkey)[row];
    const std::uint32_t price = 90000 + part / 10 % 20001 + part % 1000 * 100;
    const std::uint64_t extended = of(SsbColumn::kExtendedprice)[row];
    const std::uint64_t revenue = of(SsbColumn::kRevenue)[row];
    EXPECT_EQ(extended, price * of(SsbColumn::kQuantity)[row]);
    EXPECT_EQ(revenue, extended * (100 - of(SsbColumn::kDiscount)[row]) / 100);
    EXPECT_EQ(of(SsbColumn::kSupplycost)[row], 6 * price / 10);
    total += revenue * (100 + of(SsbColumn::kTax)[row]) / 100;
    if (of(SsbColumn::kOrderkey)[row + 1] != of(SsbColumn::kOrderkey)[row]) {
      EXPECT_EQ(of(SsbColumn::kOrdtotalprice)[row], total) << row;
      total = 0;
    }
  }
}

TEST_F(Ssb, DatesAreDaysOfTheDateDimension) {
  const std::vector<SsbDate>& dates = bench::ssb_dates();
  EXPECT_EQ(dates.size(), 2557u);  // seven years, two of them leap years
  std::map<std::uint32_t, std::size_t> day_of;
  for (std::size_t i = 0; i < dates.size(); ++i) day_of[dates[i].key] = i;
  for (std::size_t row = 0; row < rows(); ++row) {
    const auto order = day_of.find(of(SsbColumn::kOrderdate)[row]);
    const auto commit = day_of.find(of(SsbColumn::kCommitdate)[row]);
    ASSERT_NE(order, day_of.end());
    ASSERT_NE(commit, day_of.end());
    ASSERT_GE(commit->second, order->second + 30);
    ASSERT_LE(commit->second, order->second + 90);
  }
}

TEST(SsbDates, HaveTheFieldsOfQueryFlightOne) {
  const std::vector<SsbDate>& dates = bench::ssb_dates();
  EXPECT_TRUE(std::is_sorted(dates.begin(), dates.end(),
                             [](const auto& a, const auto& b) { return a.key < b.key; }));
  EXPECT_EQ(dates.front().key, 19920101u);
  EXPECT_EQ(dates.back().key, 19981231u);
  Column week_six;
  std::uint32_t january = 0;
  for (const SsbDate& date : dates) {
    if (date.year == 1994 && date.week == 6) week_six.push_back(date.key);
    if (date.month == 199401) ++january;
    EXPECT_EQ(date.key / 100, date.month);
    EXPECT_EQ(date.key / 10000, date.year);
  }
  EXPECT_EQ(january, 31u);
  EXPECT_THAT(week_six, testing::ElementsAre(19940204, 19940205, 19940206, 19940207, 19940208,
                                             19940209, 19940210));
}

/// Rows depend on their number alone: any range gives the rows of the whole table.
TEST_F(Ssb, RangesGiveTheSameRows) {
  for (const std::uint64_t first : {0u, 1u, 27u, 28u, 29u, 1000u, 262143u, 299'900u}) {
    for (const std::uint64_t count : {0u, 1u, 2u, 28u, 57u, 100u}) {
      std::vector<Column> part(kSsbColumns, Column(count + 1, 0xffffffffu));
      bench::SsbRows rows{};
      for (std::uint32_t c = 0; c < kSsbColumns; ++c) rows[c] = part[c].data();
      table_->make(first, count, rows);
      for (std::uint32_t c = 0; c < kSsbColumns; ++c) {
        const Column& whole = (*columns_)[c];
        const auto begin = whole.begin() + static_cast<std::ptrdiff_t>(first);
        ASSERT_TRUE(std::equal(begin, begin + static_cast<std::ptrdiff_t>(count), part[c].begin()))
            << first << " " << count << " " << name_of(static_cast<SsbColumn>(c));
        ASSERT_EQ(part[c].back(), 0xffffffffu);
      }
    }
  }
}

TEST_F(Ssb, DependsOnTheSeedAlone) {
  EXPECT_EQ(SsbLineorder(0.05).column(SsbColumn::kRevenue), of(SsbColumn::kRevenue));
  EXPECT_NE(SsbLineorder(0.05, 2).column(SsbColumn::kRevenue), of(SsbColumn::kRevenue));
  // The first rows, for good: figures measured with them must stay comparable.
  EXPECT_THAT(
      Column(of(SsbColumn::kExtendedprice).begin(), of(SsbColumn::kExtendedprice).begin() + 4),
      testing::ElementsAre(1002064, 4847346, 3813056, 1346956));
}

TEST(SsbFlight1, DatesAreTheYearTheMonthAndTheWeek) {
  const std::vector<bench::Flight1> queries = bench::flight1();
  ASSERT_EQ(queries.size(), 3u);
  EXPECT_EQ(queries[0].ranges.date.least, 19930101u);
  EXPECT_EQ(queries[0].ranges.date.most, 19931231u);
  EXPECT_EQ(queries[1].ranges.date.least, 19940101u);
  EXPECT_EQ(queries[1].ranges.date.most, 19940131u);
  EXPECT_EQ(queries[2].ranges.date.least, 19940204u);
  EXPECT_EQ(queries[2].ranges.date.most, 19940210u);
  EXPECT_THROW(bench::date_range([](const SsbDate& date) { return date.week == 6; }),
               std::logic_error);
}

/// The specification's selectivities: 1/7 * 3/11 * 24/50, 1/84 * 3/11 * 10/50, 7/2557 of the days.
TEST_F(Ssb, Flight1SelectsWhatTheSpecificationSays) {
  const bench::Flight1Columns columns{of(SsbColumn::kOrderdate), of(SsbColumn::kQuantity),
                                      of(SsbColumn::kDiscount), of(SsbColumn::kExtendedprice)};
  for (const bench::Flight1& query : bench::flight1()) {
    std::uint64_t sum = 0;
    double selected = 0;
    for (std::size_t row = 0; row < rows(); ++row) {
      const bench::Flight1Ranges& ranges = query.ranges;
      const std::uint32_t date = columns.date[row];
      const bool wanted = date >= ranges.date.least && date <= ranges.date.most &&
                          columns.discount[row] >= ranges.discount.least &&
                          columns.discount[row] <= ranges.discount.most &&
                          columns.quantity[row] >= ranges.quantity.least &&
                          columns.quantity[row] <= ranges.quantity.most;
      selected += wanted ? 1 : 0;
      sum += wanted ? std::uint64_t{columns.price[row]} * columns.discount[row] : 0;
    }
    EXPECT_EQ(bench::answer_on_host(query.ranges, columns), sum) << query.name;
    const double days = query.name == "q1.1" ? 365 : query.name == "q1.2" ? 31 : 7;
    const double quantities = query.name == "q1.1" ? 24 : 10;
    const double expected = days / (2557 - 151) * 3 / 11 * quantities / 50;
    EXPECT_NEAR(selected / static_cast<double>(rows()) / expected, 1, 0.25) << query.name;
  }
}

}  // namespace
}  // namespace gannet
