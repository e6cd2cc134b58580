// Histograms: bins by multiples of a width and by the calendar.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/columns/column_query.hpp"
#include "query/columns/counting/calendar.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/query/column_reference.hpp"
#include "tests/support/query/fake_fields.hpp"
#include "tests/support/query/random_fields.hpp"
#include "tests/support/random.hpp"

namespace gannet::query {
namespace {

using index::FieldSpec;
using index::FieldType;
using test::below;
using test::FakeField;
using test::Random;

Histogram histogram_of(const FakeField& field, HistogramRequest request, unsigned threads = 0) {
  const auto documents = static_cast<std::uint32_t>(field.documents());
  const index::Index index = test::fake_index({field}, {documents / 2, documents}, 7);
  request.field = field.spec.name;
  const ColumnQuery query{.sort = {{.field = field.spec.name}}, .histograms = {request}};
  return run_columns(index, all_documents(index), query, {.threads = threads}).histograms[0];
}

FakeField field_of(FieldSpec spec, const std::vector<std::string>& texts) {
  spec.name = "f";
  FakeField field{spec, {}, {}};
  for (const std::string& text : texts) {
    field.keys.emplace_back();
    if (!text.empty()) field.keys.back().push_back(index::key_of(spec, text).value());
  }
  return field;
}

using Bins = std::vector<HistogramBin>;

TEST(Histogram, BinsAreMultiplesOfTheWidth) {
  const FakeField field = field_of({.bits = 32}, {"-11", "-10", "-1", "0", "9", "10", "35", ""});
  const Histogram made = histogram_of(field, {.width = "10"});
  EXPECT_EQ(made.bins, (Bins{{"-20", 1}, {"-10", 2}, {"0", 2}, {"10", 1}, {"20", 0}, {"30", 1}}));
  EXPECT_EQ(made.missing, 1u);
  EXPECT_EQ(histogram_of(field, {.width = "10", .empty_bins = false}).bins,
            (Bins{{"-20", 1}, {"-10", 2}, {"0", 2}, {"10", 1}, {"30", 1}}));
}

TEST(Histogram, FewCodesAreCountedBeforeTheirBins) {
  // By matches, by codes, or by either, by how many threads there are.
  for (const std::uint32_t documents : {30u, 100u, 400u}) {
    FakeField field{{.name = "f", .bits = 32}, {}, {}};
    std::map<std::int64_t, std::uint64_t> expected;
    for (std::uint32_t d = 0; d < documents; ++d) {
      const std::int64_t value = static_cast<std::int64_t>(d * 7 % 30) - 13;
      field.keys.emplace_back();
      if (d % 11 == 10) continue;
      field.keys.back().push_back(test::signed_key(value));
      ++expected[value < 0 ? (value - 3) / 4 * 4 : value / 4 * 4];
    }
    Bins bins;
    for (const auto& [from, count] : expected) bins.push_back({std::to_string(from), count});
    for (const unsigned threads : {1u, 2u}) {
      const Histogram made = histogram_of(field, {.width = "4"}, threads);
      EXPECT_EQ(made.bins, bins) << documents << ", " << threads;
      EXPECT_EQ(made.missing, documents / 11);
    }
  }
}

TEST(Histogram, WidthsMayBeLargerThanAnyValue) {
  const FakeField bytes = field_of({.bits = 8}, {"-128", "127"});
  EXPECT_EQ(histogram_of(bytes, {.width = "1000"}).bins, (Bins{{"-1000", 1}, {"0", 1}}));
  const FakeField ends = field_of({}, {"-9223372036854775808", "9223372036854775807", "0"});
  EXPECT_EQ(histogram_of(ends, {.width = "9223372036854775807"}).bins,
            (Bins{{"-18446744073709551614", 1},
                  {"-9223372036854775807", 0},
                  {"0", 1},
                  {"9223372036854775807", 1}}));
  EXPECT_EQ(histogram_of(ends, {.width = "1", .empty_bins = false}).bins,
            (Bins{{"-9223372036854775808", 1}, {"0", 1}, {"9223372036854775807", 1}}));
}

TEST(Histogram, TooManyBinsAreRefused) {
  const FakeField field = field_of({}, {"0", "65535", "65536"});
  EXPECT_THAT(test::message_of<UsageError>([&] { histogram_of(field, {.width = "1"}); }),
              ::testing::HasSubstr("more than 65536 bins; take wider ones"));
  EXPECT_EQ(histogram_of(field_of({}, {"0", "65535"}), {.width = "1"}).bins.size(), 65'536u);
}

TEST(Histogram, DecimalsHaveWidthsOfTheirDigits) {
  const FieldSpec cents{.type = FieldType::kDecimal, .scale = 2};
  const FakeField field = field_of(cents, {"-0.01", "0.24", "0.25", "0.5", "0.74"});
  EXPECT_EQ(histogram_of(field, {.width = "0.25"}).bins,
            (Bins{{"-0.25", 1}, {"0", 1}, {"0.25", 1}, {"0.5", 2}}));
  EXPECT_THROW(histogram_of(field, {.width = "0.001"}), UsageError);
}

TEST(Histogram, FloatsAreBetweenTheEdgesThatAreListed) {
  const FieldSpec f64{.type = FieldType::kFloat64};
  // 3 * 0.1 is above 0.3, so that 0.3 is in the bin before; -0 is 0.
  const FakeField field = field_of(f64, {"0.3", "0.30000000000000004", "-0.0", "-0.05"});
  EXPECT_EQ(histogram_of(field, {.width = "0.1"}).bins,
            (Bins{{"-0.1", 1}, {"0", 1}, {"0.1", 0}, {"0.2", 1}, {"0.30000000000000004", 1}}));
  EXPECT_THAT(test::message_of<UsageError>(
                  [&] { histogram_of(field_of(f64, {"1e300"}), {.width = "0.1"}); }),
              ::testing::HasSubstr("too small for values as large as 1e+300"));
}

/// Values of documents that do not match forbid no width.
TEST(Histogram, OnlyMatchesNeedBins) {
  const FakeField field =
      field_of({.type = FieldType::kFloat64}, {"1e308", "-1e308", "-3", "12", "1e308"});
  const index::Index index = test::fake_index({field}, {2, 5}, 7);
  Matches matches = all_documents(index);
  const auto drop = [&](std::size_t segment, std::uint32_t document) {
    matches.segments[segment].words[document / 64] &= ~(std::uint64_t{1} << document % 64);
  };
  const ColumnQuery query{.sort = {{.field = "f"}}, .histograms = {{.field = "f", .width = "10"}}};
  EXPECT_THROW(run_columns(index, matches, query, {}), UsageError);
  drop(0, 0);
  drop(0, 1);
  drop(1, 2);
  EXPECT_EQ(run_columns(index, matches, query, {}).histograms[0].bins,
            (Bins{{"-10", 1}, {"0", 0}, {"10", 1}}));
}

TEST(Histogram, CalendarStepsBeginInUtc) {
  const FakeField field = field_of(
      {.type = FieldType::kTime},
      {"1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00Z", "1970-01-01T01:30:00+01:00", ""});
  EXPECT_EQ(histogram_of(field, {.step = HistogramStep::kHour}).bins,
            (Bins{{"1969-12-31T23:00Z", 1}, {"1970-01-01T00:00Z", 2}}));
  EXPECT_EQ(histogram_of(field, {.step = HistogramStep::kDay}).bins,
            (Bins{{"1969-12-31", 1}, {"1970-01-01", 2}}));
  EXPECT_EQ(histogram_of(field, {.step = HistogramStep::kMonth}).bins,
            (Bins{{"1969-12", 1}, {"1970-01", 2}}));
  EXPECT_EQ(histogram_of(field, {.step = HistogramStep::kYear}).bins,
            (Bins{{"1969", 1}, {"1970", 2}}));
  EXPECT_EQ(histogram_of(field, {.width = "7200000"}).bins,
            (Bins{{"1969-12-31T22:00:00Z", 1}, {"1970-01-01T00:00:00Z", 2}}));
}

TEST(Histogram, MonthsHaveTheirDays) {
  const FakeField field = field_of(
      {.type = FieldType::kDate},
      {"1900-02-28", "1900-03-01", "2000-02-29", "2000-03-01", "0001-01-01", "9999-12-31"});
  const HistogramRequest months{.step = HistogramStep::kMonth, .empty_bins = false};
  EXPECT_EQ(histogram_of(field, months).bins, (Bins{{"0001-01", 1},
                                                    {"1900-02", 1},
                                                    {"1900-03", 1},
                                                    {"2000-02", 1},
                                                    {"2000-03", 1},
                                                    {"9999-12", 1}}));
}

TEST(Histogram, ADocumentCountsOnceInABin) {
  FakeField field{{.name = "f", .bits = 64, .multi = true}, {}, {}};
  for (const std::vector<std::int64_t>& values :
       std::vector<std::vector<std::int64_t>>{{1, 2, 11}, {}, {3, 3}, {19, 12}}) {
    field.keys.emplace_back();
    for (const std::int64_t value : values) field.keys.back().push_back(test::signed_key(value));
  }
  const Histogram made = histogram_of(field, {.width = "10"});
  EXPECT_EQ(made.bins, (Bins{{"0", 2}, {"10", 2}}));
  EXPECT_EQ(made.missing, 1u);
}

TEST(Histogram, WhatDoesNotFitTheTypeIsRefused) {
  const auto error = [](FieldSpec spec, HistogramRequest request) {
    spec.name = "f";
    request.field = "f";
    return test::message_of<UsageError>(
        [&] { check({.histograms = {request}}, index::Schema({spec})); });
  };
  using ::testing::HasSubstr;
  for (const std::string wrong : {"0", "-1", "1.5", "", "ten", "9223372036854775808"}) {
    EXPECT_THAT(error({}, {.width = wrong}), HasSubstr("not '" + wrong + "'")) << wrong;
  }
  for (const std::string wrong : {"0", "-1", "nan", "inf", "", "1x"}) {
    EXPECT_THAT(error({.type = FieldType::kFloat64}, {.width = wrong}), HasSubstr("> 0"));
  }
  EXPECT_THAT(error({}, {.step = HistogramStep::kMonth}), HasSubstr("only dates and times"));
  EXPECT_THAT(error({.type = FieldType::kDate}, {.step = HistogramStep::kHour}),
              HasSubstr("dates have no hours"));
  EXPECT_THAT(error({.type = FieldType::kKeyword}, {.width = "1"}), HasSubstr("--facet"));
}

/// The bins of the C library's calendar.
std::int64_t calendar_bin(HistogramStep step, std::int64_t milliseconds) {
  const auto seconds =
      static_cast<std::time_t>(milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0));
  std::tm civil{};
  gmtime_r(&seconds, &civil);
  switch (step) {
    case HistogramStep::kYear:
      return civil.tm_year;
    case HistogramStep::kMonth:
      return civil.tm_year * 12 + civil.tm_mon;
    case HistogramStep::kDay:
      return timegm(&civil) / 86'400 - (timegm(&civil) % 86'400 < 0 ? 1 : 0);
    default:
      return timegm(&civil) / 3'600 - (timegm(&civil) % 3'600 < 0 ? 1 : 0);
  }
}

/// The counts of bins that are not empty, in their order.
std::vector<std::uint64_t> counts_of(const Histogram& histogram) {
  std::vector<std::uint64_t> counts;
  for (const HistogramBin& bin : histogram.bins) {
    if (bin.count > 0) counts.push_back(bin.count);
  }
  return counts;
}

TEST(Histogram, RandomOnesAreThoseOfALoop) {
  for (unsigned seed = 0; seed < 4000; ++seed) {
    Random random(seed);
    FakeField field = test::random_field(random, "f", 1 + below(random, 150));
    const FieldType type = field.spec.type;
    if (!field.spec.traits().bins) continue;
    const bool floats = type == FieldType::kFloat32 || type == FieldType::kFloat64;
    const bool calendar = type == FieldType::kDate || type == FieldType::kTime;
    const std::int64_t unit = type == FieldType::kDate ? 86'400'000 : 1;
    HistogramRequest request{.field = "f", .empty_bins = false};
    const auto width =
        static_cast<std::int64_t>(1 + test::random64(random) % (1ull << below(random, 62)));
    if (calendar) {
      request.step =
          static_cast<HistogramStep>(1 + below(random, type == FieldType::kDate ? 3 : 4));
    } else {
      FieldSpec whole{.type = type == FieldType::kDecimal ? type : FieldType::kInteger,
                      .scale = field.spec.scale};
      request.width = floats ? "1e290" : index::value_text(whole, test::signed_key(width));
    }
    const std::vector<FakeField> fields{field};
    const test::ColumnReference loop(fields, std::vector<bool>(field.documents(), true), {});
    const auto bin = [&](std::uint64_t key) -> std::int64_t {
      if (floats) {
        const double value = index::value_number(field.spec, key);
        const double floor = std::floor(value / 1e290);
        // The quotient of the smallest negative number is rounded to -0.
        return static_cast<std::int64_t>(floor * 1e290 > value ? floor - 1 : floor);
      }
      const bool is_signed = type != FieldType::kInteger || field.spec.is_signed;
      if (!is_signed) return static_cast<std::int64_t>(key / static_cast<std::uint64_t>(width));
      const auto value = static_cast<std::int64_t>(key ^ std::uint64_t{1} << 63);
      if (calendar) return calendar_bin(request.step, value * unit);
      return value / width - (value % width < 0 ? 1 : 0);
    };
    std::vector<std::uint64_t> expected;
    for (const auto& [number, count] : loop.bins("f", bin)) expected.push_back(count);
    const Histogram made = histogram_of(field, request, 1);
    std::vector<std::uint64_t> counts = counts_of(made);
    if (type == FieldType::kInteger && !field.spec.is_signed) {  // the loop has them as signed ones
      std::ranges::sort(counts);
      std::ranges::sort(expected);
    }
    ASSERT_EQ(counts, expected) << "seed " << seed;
    ASSERT_EQ(made, histogram_of(field, request, 8)) << "seed " << seed;
  }
}

TEST(Calendar, IsThatOfTheCLibrary) {
  Random random(3);
  for (int i = 0; i < 200'000; ++i) {
    // From the year -67,000,000 to 67,000,000, which the C library has room for.
    const auto day = static_cast<std::int64_t>(test::random64(random)) >> (28 + below(random, 25));
    if (std::abs(day) > 24'000'000'000) continue;
    const auto seconds = static_cast<std::time_t>(day * 86'400);
    std::tm civil{};
    gmtime_r(&seconds, &civil);
    ASSERT_EQ(month_of_day(day), (std::int64_t{civil.tm_year} - 70) * 12 + civil.tm_mon) << day;
    const std::string text = calendar_text(HistogramStep::kDay, day);
    ASSERT_EQ(std::stoi(text.substr(text.size() - 2)), civil.tm_mday) << text;
    ASSERT_EQ(std::stoi(text.substr(text.size() - 5, 2)), civil.tm_mon + 1) << text;
    ASSERT_EQ(std::stoll(text.substr(0, text.size() - 6)), std::int64_t{civil.tm_year} + 1900);
  }
}

TEST(Calendar, HasRoomForAllNumbers) {
  for (const std::int64_t day :
       {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
    const std::int64_t month = month_of_day(day);
    EXPECT_EQ(calendar_text(HistogramStep::kDay, day)
                  .starts_with(calendar_text(HistogramStep::kMonth, month)),
              true);
  }
  EXPECT_EQ(calendar_text(HistogramStep::kYear, -1971), "-00001");
  EXPECT_EQ(calendar_text(HistogramStep::kYear, 8030), "+10000");
  EXPECT_EQ(calendar_text(HistogramStep::kYear, -1970), "0000");
}

}  // namespace
}  // namespace gannet::query
