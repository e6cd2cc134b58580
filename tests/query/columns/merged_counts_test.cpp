// Values of fields with many of them, counted over several segments, against one map of all.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "query/search_columns.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/fields.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

constexpr std::uint32_t kCountedDocuments = 60'000;

class FacetsOfSegments : public ::testing::Test {
 protected:
  /// The value of each document, spelled so that the order of texts is that of numbers.
  using Values = std::function<std::uint32_t(std::uint32_t document, std::mt19937& random)>;

  static std::string text_of(std::uint32_t value) { return std::to_string(1'000'000 + value); }

  void expect(const Values& values) {
    std::mt19937 random(7);
    test::FieldValues tag{index::parse_field("tag:keyword"), {}};
    test::FieldValues number{index::parse_field("number:u32"), {}};
    std::map<std::string, std::uint64_t> counts;
    for (std::uint32_t d = 0; d < kCountedDocuments; ++d) {
      const std::string text = text_of(values(d, random));
      tag.values.push_back({text});
      number.values.push_back({text});
      ++counts[text];
    }
    test::Collection collection;
    collection.lengths.assign(kCountedDocuments, 1);
    collection.frequencies["word"].assign(kCountedDocuments, 1);
    const auto index =
        test::with_fields(*test::write_segments(folder_.path(), collection,
                                                {20'000, 20'001, 50'000, kCountedDocuments}),
                          {tag, number});
    std::vector<FacetValue> expected;
    for (const auto& [text, count] : counts) expected.push_back({text, count});
    std::ranges::stable_sort(expected, std::greater<>(), &FacetValue::count);
    const Searcher searcher(index, {.backend = BackendChoice::kCpu});
    for (const std::uint32_t n : {1u, 10u, 1000u, 100'000u}) {
      for (const std::string field : {"tag", "number"}) {
        SCOPED_TRACE(field + " " + std::to_string(n));
        const ColumnQuery wanted{.facets = {{field, n}}, .aggregates = {field}};
        const ColumnResults found =
            search_columns(searcher, searcher.plan({.text = "word"}), wanted, {.threads = 2});
        const auto listed = std::min<std::size_t>(n, expected.size());
        const std::vector<FacetValue> best(expected.begin(),
                                           expected.begin() + static_cast<std::ptrdiff_t>(listed));
        EXPECT_TRUE(found.facets[0].values == best) << "the best is " << best.front().text;
        std::uint64_t sum = found.facets[0].others;
        for (const FacetValue& value : found.facets[0].values) sum += value.count;
        EXPECT_EQ(sum, kCountedDocuments);
        EXPECT_EQ(found.aggregates[0].distinct, counts.size());
      }
    }
  }

  test::TemporaryDirectory folder_;
};

TEST_F(FacetsOfSegments, OfManyValuesWithFewDocumentsEachAreMerged) {
  expect([](std::uint32_t, std::mt19937& random) { return random() % 40'000; });
}

TEST_F(FacetsOfSegments, OfFewFrequentValuesAmongManyAreLookedUp) {
  expect([](std::uint32_t d, std::mt19937& random) {
    return d % 3 == 0 ? static_cast<std::uint32_t>(random() % 9) * 4'000
                      : static_cast<std::uint32_t>(random() % 40'000);
  });
}

TEST_F(FacetsOfSegments, OfValuesThatAreInOneSegmentEach) {
  expect([](std::uint32_t d, std::mt19937&) { return d / 2; });
}

TEST_F(FacetsOfSegments, OfOneValue) {
  expect([](std::uint32_t, std::mt19937&) { return 5u; });
}

}  // namespace
}  // namespace gannet::query
