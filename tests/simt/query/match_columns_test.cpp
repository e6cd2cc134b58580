// The kernels that look at columns of matches, thread for thread on the host, against loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <type_traits>
#include <vector>

#include "query/columns/counting/exact_sum.hpp"
#include "query/gpu/device/kernels/columns/code_totals.cuh"
#include "query/gpu/device/kernels/columns/count_codes.cuh"
#include "query/gpu/device/kernels/columns/top_counts.cuh"
#include "query/gpu/plan/columns/code_bins.hpp"
#include "query/gpu/plan/columns/float_sums.hpp"
#include "tests/support/query/fake_fields.hpp"
#include "tests/support/query/random_fields.hpp"
#include "tests/support/simt/columns/match_field.hpp"

namespace gannet::query::cuda {
namespace {

using match_test::columns_launch;
using match_test::Field;
using match_test::has;
using match_test::kDocuments;
using match_test::kPoison;
using match_test::Words;

template <class Slots, bool kShared>
void count(const Field& field, const Slots& slots, std::uint32_t limit,
           std::vector<std::uint32_t>& counts, FieldSums& sums, std::uint64_t seed) {
  const auto launch = columns_launch(3, kShared ? limit * sizeof(std::uint32_t) : 0, seed);
  if (field.multi()) {
    simt::launch(launch, count_codes_kernel<Slots, Codes::kMulti, kShared>, field.view(),
                 field.matches(), slots, limit, counts.data(), &sums);
  } else {
    constexpr bool kHashed = std::is_same_v<Slots, HashSlots>;
    constexpr Codes kSingle = kHashed ? Codes::kScattered : Codes::kSingle;
    simt::launch(launch, count_codes_kernel<Slots, kSingle, kShared>, field.view(), field.matches(),
                 slots, limit, counts.data(), &sums);
  }
}

void expect_counts(const std::vector<std::uint32_t>& counts,
                   const std::map<std::uint32_t, std::uint32_t>& expected) {
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    const auto at = expected.find(i);
    ASSERT_EQ(counts[i], at == expected.end() ? 0 : at->second) << i;
  }
}

TEST(MatchKernels, CountCodesAndBins) {
  std::uint64_t seed = 0;
  for (const std::uint32_t documents : kDocuments) {
    for (const bool multi : {false, true}) {
      SCOPED_TRACE(++seed);
      const std::uint32_t limit = std::vector{1u, 300u, 70000u}[seed % 3];
      const Field field = Field::some(documents, limit, multi, seed);
      const auto itself = [](std::uint32_t code) { return code; };
      std::vector<std::uint32_t> counts(limit);
      FieldSums sums{};
      if (limit <= 8192) {
        count<DirectSlots, true>(field, {}, limit, counts, sums, seed);
      } else {
        count<DirectSlots, false>(field, {}, limit, counts, sums, seed);
      }
      expect_counts(counts, field.counts(itself));
      EXPECT_EQ(sums.documents, field.documents());

      std::vector<std::uint32_t> firsts{0};
      for (std::uint32_t first = 0; first < limit; first += 1 + limit / 9) firsts.push_back(first);
      const BinSlots bins{firsts.data(), static_cast<std::uint32_t>(firsts.size())};
      const auto bin = [&](std::uint32_t code) {
        const auto after = std::ranges::upper_bound(firsts, code);
        return static_cast<std::uint32_t>(after - firsts.begin()) - 1;
      };
      std::vector<std::uint32_t> in_bins(firsts.size());
      FieldSums of_bins{};
      count<BinSlots, true>(field, bins, bins.count, in_bins, of_bins, seed);
      expect_counts(in_bins, field.counts(bin));
      EXPECT_EQ(of_bins.documents, field.documents());
      std::ranges::fill(in_bins, 0);
      count<BinSlots, false>(field, bins, bins.count, in_bins, of_bins, seed);
      expect_counts(in_bins, field.counts(bin));
    }
  }
}

/// Slots of a table, more than twice as many as there are codes.
struct Table {
  explicit Table(const Field& field)
      : codes(std::bit_ceil(2 * field.view().codes.count + 2) + 1, HashSlots::kNoCode) {}
  HashSlots slots() { return {codes.data(), static_cast<std::uint32_t>(codes.size() - 1)}; }
  std::vector<std::uint32_t> codes;
};

TEST(MatchKernels, CountCodesOfAnyWidthInATable) {
  std::uint64_t seed = 0;
  for (const std::uint32_t documents : kDocuments) {
    for (const std::uint32_t limit : {1u, 200u, 5000u, 700000u, 0x01000001u, 0xffffffffu, 0u}) {
      const bool multi = ++seed % 2 == 0;
      SCOPED_TRACE(seed);
      // Of 2^32 codes, the last one marks slots that are free.
      const Field field = Field::some(documents, limit, multi, seed, 9);
      const auto expected = field.counts([](std::uint32_t code) { return code; });
      Table table(field);
      std::vector<std::uint32_t> counts(table.codes.size());
      FieldSums sums{};
      count<HashSlots, false>(field, table.slots(), 0, counts, sums, seed);
      EXPECT_EQ(sums.documents, field.documents());
      std::map<std::uint32_t, std::uint32_t> found;
      for (std::size_t i = 0; i < counts.size(); ++i) {
        if (counts[i] == 0) continue;
        ASSERT_TRUE(found.emplace(table.codes[i], counts[i]).second);
      }
      ASSERT_EQ(found, expected);

      Table again(field);
      FieldSums distinct{};
      if (multi) {
        simt::launch(columns_launch(2, 0, seed), distinct_codes_kernel<Codes::kMulti>, field.view(),
                     field.matches(), again.slots(), &distinct);
      } else {
        simt::launch(columns_launch(2, 0, seed), distinct_codes_kernel<Codes::kScattered>,
                     field.view(), field.matches(), again.slots(), &distinct);
      }
      EXPECT_EQ(distinct.distinct, expected.size());
      EXPECT_EQ(distinct.documents, field.documents());
    }
  }
}

TEST(MatchKernels, RepeatedCodesAndPresentMatches) {
  std::uint64_t seed = 0;
  for (const std::uint32_t documents : kDocuments) {
    for (const std::uint32_t limit : {documents, 8 * documents, 0u}) {
      SCOPED_TRACE(++seed);
      const Field all = Field::some(documents, limit, false, seed, 16);
      const auto times = all.counts([](std::uint32_t code) { return code; });
      Table table(all);
      std::vector<std::uint32_t> counts(table.codes.size());
      FieldSums sums{};
      count<HashSlots, false>(all, table.slots(), 0, counts, sums, seed);
      Words words(bitmap_room(documents), 0xabababababababab);
      const auto blocks =
          codecs::ceil_div(static_cast<std::uint32_t>(groups_of(documents)), kColumnWarps);
      simt::launch(columns_launch(blocks, 0, seed), repeated_codes_kernel, all.view(),
                   table.slots(), counts.data(), words.data(), &sums.total);
      std::uint64_t repeated = 0;
      for (std::uint32_t d = 0; d < words.size() * 64; ++d) {
        const bool expected = d < documents && all.has_code(d) && times.at(all.code(d)) > 1;
        ASSERT_EQ(has(words, d), expected) << d;
        repeated += expected ? 1 : 0;
      }
      EXPECT_EQ(sums.total, repeated);

      const Field field = Field::some(documents, limit, false, seed, 7);
      if (field.view().present == nullptr) continue;
      unsigned long long present = 3;
      simt::launch(columns_launch(2, 0, seed), count_present_kernel, field.matches(),
                   field.view().present, codecs::ceil_div(documents, 64u), &present);
      EXPECT_EQ(present, 3 + field.documents());
    }
  }
}

TEST(MatchKernels, TopCounts) {
  std::mt19937_64 random(7);
  for (const std::uint32_t size : {1u, 31u, 32u, 33u, 1000u, 5000u}) {
    for (const bool hashed : {false, true}) {
      std::vector<std::uint32_t> counts, codes;
      std::vector<std::uint64_t> all;
      FieldSums expected{};
      for (std::uint32_t i = 0; i < size; ++i) {
        counts.push_back(random() % 3 == 0 ? 0 : static_cast<std::uint32_t>(random() % 40));
        codes.push_back(hashed ? i * 0x9e3779b1u : i);
        expected.distinct += counts[i] != 0 ? 1 : 0;
        expected.total += counts[i];
        if (counts[i] != 0) all.push_back(std::uint64_t{counts[i]} << 32 | ~codes[i]);
      }
      std::ranges::sort(all, std::greater<>());
      const CodeCounters counters{counts.data(), hashed ? codes.data() : nullptr, size};
      for (const std::uint32_t k : {0u, 1u, 7u, 100u}) {
        std::vector<std::uint64_t> sample;
        for (std::size_t i = 0; i < all.size() && sample.size() < k; i += 2) {
          sample.push_back(all[i]);
        }
        const auto known = static_cast<std::uint32_t>(sample.size());
        const CodeOrder order{false, k, sample.data(), &known};
        std::vector<std::uint64_t> keys(all.size() + 1);
        std::uint32_t found = 0;
        const KeyList list{keys.data(), &found, static_cast<std::uint32_t>(all.size())};
        FieldSums sums{};
        simt::launch(columns_launch(2, 0, k), top_counts_kernel, counters, 1u, order, list, &sums);
        EXPECT_EQ(sums.distinct, expected.distinct);
        EXPECT_EQ(sums.total, expected.total);
        const bool bounded = k > 0 && known == k;
        const auto reach = std::ranges::count_if(
            all, [&](std::uint64_t key) { return !bounded || key >= sample.back(); });
        ASSERT_EQ(found, k == 0 ? 0 : reach);
        keys.resize(found);
        std::ranges::sort(keys, std::greater<>());
        EXPECT_TRUE(std::equal(keys.begin(), keys.end(), all.begin()));
      }
      // Groups 0, 3, 6 ... without a threshold.
      std::vector<std::uint64_t> keys(all.size() + 1);
      std::uint32_t found = 0;
      const KeyList list{keys.data(), &found, static_cast<std::uint32_t>(all.size())};
      simt::launch(columns_launch(1), top_counts_kernel, counters, 3u,
                   CodeOrder{false, 5, nullptr, nullptr}, list, static_cast<FieldSums*>(nullptr));
      std::uint32_t some = 0;
      for (std::uint32_t i = 0; i < size; ++i) some += i / 32 % 3 == 0 && counts[i] != 0 ? 1 : 0;
      EXPECT_EQ(found, some);
    }
  }
}

TEST(MatchKernels, Totals) {
  std::uint64_t seed = 0;
  for (const std::uint32_t documents : kDocuments) {
    for (const std::uint32_t limit : {1u, 250u, 66000u, 0x01000001u, 0u}) {
      const bool multi = ++seed % 2 == 0;
      SCOPED_TRACE(seed);
      const Field field = Field::some(documents, limit, multi, seed);
      FieldSums expected{};
      field.for_each([&](const auto& codes) {
        ++expected.documents;
        for (const std::uint32_t code : codes) {
          ++expected.values;
          expected.codes += code;
          expected.greatest = std::max<unsigned long long>(expected.greatest, code);
          expected.least_below = std::max<unsigned long long>(expected.least_below, ~code);
        }
      });
      FieldSums sums{};
      if (multi) {
        simt::launch(columns_launch(2, 0, seed), code_totals_kernel<Codes::kMulti>, field.view(),
                     field.matches(), &sums);
      } else {
        simt::launch(columns_launch(2, 0, seed), code_totals_kernel<Codes::kSingle>, field.view(),
                     field.matches(), &sums);
      }
      EXPECT_EQ(std::memcmp(&sums, &expected, sizeof sums), 0);
    }
  }
}

/// Doubles whose exponents differ by up to `exponents`.
double some_double(std::mt19937_64& random, int exponents) {
  const auto significand = static_cast<double>(random() >> 11);
  const int exponent = exponents == 0 ? 0 : static_cast<int>(random() % exponents);
  return std::ldexp(random() % 2 == 0 ? significand : -significand, -exponent - 30);
}

TEST(MatchKernels, SumsOfFloatsAreExact) {
  std::size_t rare = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    const bool narrow = seed % 3 == 0;
    const int exponents = std::vector{0, 20, 45, 120, 1000}[seed % 5] / (narrow ? 8 : 1);
    const std::uint32_t documents = std::vector{1u, 40u, 600u, 3000u}[seed % 4];
    // The codes of a column have 32 bits; which values they are does not matter here.
    const std::uint64_t base =
        narrow ? test::float_key(-3e38f) : test::float_key(some_double(random, exponents));
    const std::uint64_t unit = narrow ? 1 + random() % 3 : std::uint64_t{1} << random() % 31;
    Field::Lists codes(documents);
    for (auto& of : codes) {
      if (random() % 5 == 0) continue;
      of.push_back(static_cast<std::uint32_t>(random() % (narrow ? 0x50000000u : 0xffffffffu)));
    }
    const index::FieldSpec spec{
        .name = "x", .type = narrow ? index::FieldType::kFloat32 : index::FieldType::kFloat64};
    const auto value_of = [&](std::uint32_t code) {
      return index::value_number(spec, base + code * unit);
    };
    const Field field(codes, false, seed, 12);
    double greatest = 0;
    bool finite = true;
    ExactSum expected;
    field.for_each([&](const auto& of) {
      const double value = value_of(of[0]);
      finite = finite && std::isfinite(value);
      if (!finite) return;
      greatest = std::max(greatest, std::abs(value));
      expected.add(value);
    });
    const auto biased = static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(greatest) >> 52);
    std::vector<unsigned long long> table(2 * FloatSums::kExponents);
    const FloatSums floats{base, unit, narrow,
                           std::max(FloatSums::kWindow + 1, biased) - FloatSums::kWindow,
                           table.data()};
    FieldSums sums{};
    simt::launch(columns_launch(2, 0, seed), float_totals_kernel<Codes::kSingle>, field.view(),
                 field.matches(), floats, &sums);
    EXPECT_EQ(sums.unusual >= FloatSums::kBad, !finite);
    if (!finite) continue;
    rare += sums.unusual;
    ExactSum found;
    const auto parts = scaled_numbers(floats, sums, sums.unusual == 0 ? nullptr : table.data());
    for (const ScaledNumber& part : parts) found.add(part.number, part.exponent);
    EXPECT_EQ(found.rounded(), expected.rounded());
    EXPECT_EQ(sums.documents, field.documents());
  }
  EXPECT_GT(rare, 100u) << "no exponents were far apart";
}

}  // namespace
}  // namespace gannet::query::cuda
