// Sums and means over all matches: exact, in any order.
#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "query/columns/column_query.hpp"
#include "query/columns/counting/exact_sum.hpp"
#include "query/columns/counting/whole_number.hpp"
#include "tests/support/query/fake_fields.hpp"
#include "tests/support/query/random_fields.hpp"
#include "tests/support/random.hpp"

namespace gannet::query {
namespace {

using index::FieldSpec;
using index::FieldType;
using test::FakeField;

/// The aggregate of a field over all documents, in two segments.
Aggregate aggregate_of(const FakeField& field) {
  const auto documents = static_cast<std::uint32_t>(field.documents());
  const index::Index index = test::fake_index({field}, {documents / 2, documents}, 3);
  const ColumnQuery query{.k = 0, .aggregates = {field.spec.name}};
  return run_columns(index, all_documents(index), query).aggregates[0];
}

/// A field of signed numbers, one a document; nothing: the document lacks it.
FakeField numbers(FieldSpec spec, const std::vector<std::optional<std::int64_t>>& values) {
  spec.name = "n";
  FakeField field{spec, {}, {}};
  for (const auto& value : values) {
    field.keys.emplace_back();
    if (value) field.keys.back().push_back(test::signed_key(*value));
  }
  return field;
}

FakeField doubles(const std::vector<double>& values) {
  FakeField field{{.name = "n", .type = FieldType::kFloat64}, {}, {}};
  for (const double value : values) field.keys.push_back({test::float_key(value)});
  return field;
}

constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();

TEST(Aggregates, SumsOfIntegersGoBeyond64Bits) {
  const Aggregate most = aggregate_of(numbers({}, {kMax, kMax, kMax, std::nullopt}));
  EXPECT_EQ(most.sum, "27670116110564327421");
  EXPECT_EQ(most.mean, 9223372036854775807.0);
  EXPECT_EQ(most.documents, 3u);
  EXPECT_EQ(most.missing, 1u);
  EXPECT_EQ(most.distinct, 1u);
  EXPECT_EQ(aggregate_of(numbers({}, {kMin, kMin, kMin, 5})).sum, "-27670116110564327419");
  const Aggregate both = aggregate_of(numbers({}, {kMin, kMax, -1, 0}));
  EXPECT_EQ(both.sum, "-2");
  EXPECT_EQ(both.mean, -0.5);
  EXPECT_EQ(both.min, "-9223372036854775808");
  EXPECT_EQ(both.max, "9223372036854775807");
}

TEST(Aggregates, DifferentValuesNeedNotBeCounted) {
  const FakeField field = numbers({}, {3, 3, std::nullopt, -5});
  const index::Index index = test::fake_index({field}, {4});
  ColumnQuery query{.k = 0, .aggregates = {"n"}};
  Aggregate expected = run_columns(index, all_documents(index), query).aggregates[0];
  EXPECT_EQ(expected.distinct, 2u);
  expected.distinct = std::nullopt;
  query.distinct = false;
  EXPECT_EQ(run_columns(index, all_documents(index), query).aggregates[0], expected);
}

TEST(Aggregates, SumsOfLargeCodesAreExact) {
  // Two that add up to more than 64 bits, and what is just below the limit of adding up in these.
  for (const std::int64_t value : {std::int64_t{1} << 62, (std::int64_t{1} << 48) - 1}) {
    std::vector<std::optional<std::int64_t>> values(1000, value);
    values[0] = -value;
    EXPECT_EQ(aggregate_of(numbers({}, values)).sum, to_text(Int128{998} * value, 0));
  }
}

TEST(Aggregates, UnsignedIntegersAreNotTakenForSignedOnes) {
  FakeField field{{.name = "n", .is_signed = false}, {{~0ull}, {~0ull}, {3}}, {}};
  const Aggregate made = aggregate_of(field);
  EXPECT_EQ(made.sum, "36893488147419103233");
  EXPECT_EQ(made.max, "18446744073709551615");
}

TEST(Aggregates, DecimalsKeepTheirDigits) {
  const FieldSpec cents{.type = FieldType::kDecimal, .scale = 2};
  const Aggregate made = aggregate_of(numbers(cents, {1, 1250, -3, 700}));
  EXPECT_EQ(made.sum, "19.48");
  EXPECT_DOUBLE_EQ(made.mean.value(), 4.87);
  EXPECT_EQ(aggregate_of(numbers(cents, {50, 50})).sum, "1");
  const FieldSpec tiny{.type = FieldType::kDecimal, .scale = 18};
  EXPECT_EQ(aggregate_of(numbers(tiny, {-1, 0})).sum, "-0.000000000000000001");
}

TEST(Aggregates, NothingIsSummedWhereNothingIs) {
  const Aggregate none = aggregate_of(numbers({}, {std::nullopt, std::nullopt}));
  EXPECT_EQ(none.documents, 0u);
  EXPECT_EQ(none.sum, "0");
  EXPECT_EQ(none.mean, std::nullopt);
  EXPECT_EQ(none.min, std::nullopt);
  EXPECT_EQ(none.max, std::nullopt);
}

TEST(Aggregates, DatesHaveAMeanAndNoSum) {
  const Aggregate made = aggregate_of(numbers({.type = FieldType::kDate}, {-1, 0, 10, 11}));
  EXPECT_EQ(made.sum, std::nullopt);
  EXPECT_EQ(made.mean, 5);
  EXPECT_EQ(made.min, "1969-12-31");
}

TEST(Aggregates, KeywordsAreCountedAndCompared) {
  FakeField field{{.name = "n", .type = FieldType::kKeyword, .multi = true},
                  {},
                  {{"b", "a"}, {}, {"c", "b"}, {"\xff"}}};
  const Aggregate made = aggregate_of(field);
  EXPECT_EQ(made.values, 5u);
  EXPECT_EQ(made.distinct, 4u);
  EXPECT_EQ(made.min, "a");
  EXPECT_EQ(made.max, "\xff");
  EXPECT_EQ(made.sum, std::nullopt);
  EXPECT_EQ(made.mean, std::nullopt);
}

TEST(Aggregates, BooleansCountWhatIsTrue) {
  FakeField field{{.name = "n", .type = FieldType::kBoolean}, {{1}, {0}, {1}, {1}}, {}};
  EXPECT_EQ(aggregate_of(field).sum, "3");
  EXPECT_EQ(aggregate_of(field).mean, 0.75);
}

TEST(Aggregates, SumsOfFloatsAreRoundedOnce) {
  EXPECT_EQ(aggregate_of(doubles({1e16, 1, -1e16, 1})).sum, "2");
  EXPECT_EQ(aggregate_of(doubles({1e300, 0.1, -1e300, 0.2})).sum, "0.30000000000000004");
  EXPECT_EQ(aggregate_of(doubles({-0.0, -0.0})).sum, "0");
}

TEST(ExactSum, RoundsToTheNearestAndTiesToEven) {
  const auto sum = [](std::initializer_list<double> values) {
    ExactSum exact;
    for (const double value : values) exact.add(value);
    return exact.rounded();
  };
  const double two53 = 9007199254740992.0;
  EXPECT_EQ(sum({two53, 1}), two53);
  EXPECT_EQ(sum({two53, 1, 1e-300}), two53 + 2);
  EXPECT_EQ(sum({two53, 2, 1}), two53 + 4);
  EXPECT_EQ(sum({-two53, -1, -5e-324}), -two53 - 2);
  EXPECT_EQ(sum({5e-324, 5e-324}), 1e-323);
  EXPECT_EQ(sum({2.2250738585072014e-308, -5e-324}), 2.225073858507201e-308);
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(sum({largest, largest, -largest}), largest);
  EXPECT_EQ(sum({largest, largest}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(sum({-largest, -largest}), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(sum({}), 0);
}

/// Against whole numbers of 128 bits: doubles that are multiples of 2^-30 below 2^60.
TEST(ExactSum, IsThatOfWholeNumbers) {
  test::Random random(7);
  for (int round = 0; round < 2000; ++round) {
    ExactSum first, second;
    Int128 whole = 0;
    for (int i = 0; i < 50; ++i) {
      const auto significand = static_cast<std::int64_t>(test::random64(random) >> 11);
      const int shift = static_cast<int>(random() % 37);
      const std::int64_t sign = random() % 2 == 0 ? -1 : 1;
      const double value = static_cast<double>(sign * significand) * std::ldexp(1.0, shift - 30);
      (i % 2 == 0 ? first : second).add(value);
      whole += static_cast<Int128>(sign * significand) << shift;
    }
    first.add(second);
    // The conversion rounds to the nearest, ties to even.
    ASSERT_EQ(first.rounded(), std::ldexp(static_cast<double>(whole), -30));
  }
}

TEST(WholeNumbers, ArePrintedExactly) {
  EXPECT_EQ(to_text(0), "0");
  EXPECT_EQ(to_text(0, 4), "0");
  EXPECT_EQ(to_text(-5, 1), "-0.5");
  EXPECT_EQ(to_text(Int128{1} << 100), "1267650600228229401496703205376");
  EXPECT_EQ(to_text(-(Int128{1} << 126) - (Int128{1} << 126)),
            "-170141183460469231731687303715884105728");
}

}  // namespace
}  // namespace gannet::query
