// Filters and facets over columns that are kept as bitmap indexes: the same as a loop over the
// documents, and as in a plain codec.
#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "query/filter/filter_scan.hpp"
#include "query/search_columns.hpp"
#include "query/searcher.hpp"
#include "query/searching/searcher_parts.hpp"
#include "tests/support/index/field_data.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

std::uint32_t number_below(test::Random& random, std::uint32_t end) { return random() % end; }

/// 140,000 documents: a keyword, several keywords, a small number with gaps, a flag.
class BitmapFilters : public ::testing::Test {
 protected:
  static constexpr std::uint32_t kDocuments = 140'000;

  static std::vector<test::DocumentValues> make_values() {
    test::Random random(7);
    std::vector<test::DocumentValues> values(kDocuments);
    for (std::uint32_t d = 0; d < kDocuments; ++d) {
      if (number_below(random, 5) != 0)
        values[d].emplace_back(0, "k" + std::to_string(number_below(random, 90)));
      for (std::uint32_t n = number_below(random, 4); n > 0; --n) {
        values[d].emplace_back(1, "m" + std::to_string(number_below(random, 30)));
      }
      // Long runs, so that there are fills of ones.
      values[d].emplace_back(
          2, std::to_string(d / 20'000 * 10 + (number_below(random, 50) == 0 ? 1 : 0)));
      if (d % 3 != 0) values[d].emplace_back(3, d % 2 == 0 ? "true" : "false");
    }
    return values;
  }
  static std::shared_ptr<const index::Index> build(const std::filesystem::path& path,
                                                   const std::vector<test::DocumentValues>& values,
                                                   const std::string& codec) {
    std::vector<index::FieldSpec> fields;
    for (const char* const field :
         {"key:keyword:", "keys:keyword:multi:", "n:i32:", "flag:bool:"}) {
      fields.push_back(index::parse_field(field + codec));
    }
    test::build_fields(path, index::Schema(fields), values);
    return std::make_shared<const index::Index>(index::Index::open(path));
  }

  /// Documents that have a value of a field for which `passes`.
  std::uint64_t count(std::uint32_t field, const std::function<bool(const std::string&)>& passes) {
    return static_cast<std::uint64_t>(std::ranges::count_if(values_, [&](const auto& values) {
      return std::ranges::any_of(
          values, [&](const auto& value) { return value.first == field && passes(value.second); });
    }));
  }
  static std::uint64_t found(const Searcher& searcher, const std::string& query) {
    const Plan plan = searcher.plan({.text = query, .want = Want::kCount});
    return searcher.search({&plan, 1}).counts[0];
  }
  /// Both indexes agree; what they say.
  std::uint64_t found(const std::string& query) const {
    const std::uint64_t count = found(bitmaps_, query);
    EXPECT_EQ(count, found(plain_, query)) << query;
    return count;
  }

  test::TemporaryDirectory folder_;
  std::vector<test::DocumentValues> values_ = make_values();
  std::shared_ptr<const index::Index> index_ = build(folder_ / "wah", values_, "wah");
  Searcher bitmaps_{index_, {.backend = BackendChoice::kCpu}};
  Searcher plain_{build(folder_ / "none", values_, "gpu-for"), {.backend = BackendChoice::kCpu}};
};

TEST_F(BitmapFilters, PassWhatALoopPasses) {
  EXPECT_EQ(found("key:k7"), count(0, [](const auto& v) { return v == "k7"; }));
  EXPECT_EQ(found("key:(k7 OR k88 OR nothing)"),
            count(0, [](const auto& v) { return v == "k7" || v == "k88"; }));
  EXPECT_EQ(found("key:k1*"), count(0, [](const auto& v) { return v.starts_with("k1"); }));
  EXPECT_EQ(found("key:[k3 TO k5}"), count(0, [](const auto& v) { return v >= "k3" && v < "k5"; }));
  EXPECT_EQ(found("key:*"), count(0, [](const auto&) { return true; }));
  EXPECT_EQ(found("NOT key:k7"), kDocuments - count(0, [](const auto& v) { return v == "k7"; }));
  EXPECT_EQ(found("keys:m3"), count(1, [](const auto& v) { return v == "m3"; }));
  EXPECT_EQ(found("keys:m2*"), count(1, [](const auto& v) { return v.starts_with("m2"); }));
  EXPECT_EQ(found("n:[11 TO 40]"),
            count(2, [](const auto& v) { return std::stoi(v) >= 11 && std::stoi(v) <= 40; }));
  EXPECT_EQ(found("n:5"), 0u);
  EXPECT_EQ(found("flag:true"), count(3, [](const auto& v) { return v == "true"; }));
}

TEST_F(BitmapFilters, CombineAsInAPlainCodec) {
  test::Random random(3);
  const auto predicate = [&]() -> std::string {
    const std::string number = std::to_string(number_below(random, 95));
    switch (number_below(random, 6)) {
      case 0:
        return "key:k" + number;
      case 1:
        return "key:[k" + number + " TO k" + std::to_string(number_below(random, 95)) + "]";
      case 2:
        return "keys:(m" + number + " OR m1)";
      case 3:
        return "n:>=" + number;
      case 4:
        return "flag:true";
      default:
        return "key:k" + number.substr(0, 1) + "*";
    }
  };
  for (int i = 0; i < 300; ++i) {
    std::string query = predicate();
    for (std::uint32_t more = number_below(random, 3); more > 0; --more) {
      const char* const join = number_below(random, 2) == 0 ? " AND " : " OR ";
      query = "(" + query + join + (number_below(random, 3) == 0 ? "NOT " : "") + predicate() + ")";
    }
    found(query);
  }
}

TEST_F(BitmapFilters, AreAnsweredWithoutCodes) {
  const Filter filter = Filter::prefix("key", "k1") && Filter::equal("flag", "true");
  const SegmentFilter bound = bind_filter(filter, *index_, 0);
  FilterScan scan;
  std::vector<std::uint64_t> words(kFilterChunkWords);
  scan.run(bound, 1, kDocuments, words);
  EXPECT_EQ(scan.blocks_decoded(), 0u);
}

TEST_F(BitmapFilters, FacetsCountWhatALoopCounts) {
  const ColumnQuery wanted{
      .k = 0, .facets = {{"key", 100}, {"keys", 100}, {"n", 5}, {"flag", 2}}, .aggregates = {"n"}};
  for (const std::string query : {"word", "key:k2*", "n:>=40 AND flag:false", "key:nothing"}) {
    const ColumnResults a = search_columns(bitmaps_, bitmaps_.plan({.text = query}), wanted);
    EXPECT_EQ(a, search_columns(plain_, plain_.plan({.text = query}), wanted)) << query;
  }
  std::map<std::string, std::uint64_t> counts;
  for (const auto& values : values_) {
    for (const auto& [field, text] : values) {
      if (field == 0) ++counts[text];
    }
  }
  const ColumnResults all = search_columns(bitmaps_, bitmaps_.plan({.text = "word"}), wanted);
  ASSERT_EQ(all.facets[0].values.size(), counts.size());
  for (const FacetValue& value : all.facets[0].values) EXPECT_EQ(value.count, counts[value.text]);
}

TEST_F(BitmapFilters, StretchesWithoutMatchesChangeNothing) {
  const std::vector<std::vector<std::uint32_t>> sets{
      {}, {0}, {4095, 4096}, {65535}, {65536}, {9000, 139'999}, {5, 70'000, 70'001, 131'072}};
  const ColumnQuery query{.sort = {{.field = "n", .descending = true}, {.field = "key"}},
                          .k = 3,
                          .facets = {{"key"}, {"keys"}, {"n"}, {"flag"}},
                          .histograms = {{.field = "n", .width = "3"}},
                          .aggregates = {"n", "key"},
                          .group = std::nullopt};
  ColumnQuery groups = query;
  groups.group = GroupRequest{"key", 2, 1};
  Matches watched;
  for (const auto& set : sets) {
    Matches plain = no_documents(*index_);
    clear(watched, *index_);
    for (const std::uint32_t document : set) {
      plain.segments[0].add(document);
      watched.segments[0].add(document);
    }
    EXPECT_EQ(watched.segments[0].words, plain.segments[0].words);
    for (const ColumnQuery& asked : {query, groups}) {
      const ColumnResults expected = run_columns(plain_.index(), plain, asked, {.threads = 1});
      EXPECT_EQ(expected.count, set.size());
      for (const index::Index* index : {index_.get(), &plain_.index()}) {
        EXPECT_EQ(run_columns(*index, watched, asked, {.threads = 1}), expected) << set.size();
        EXPECT_EQ(run_columns(*index, watched, asked, {.threads = 3}), expected) << set.size();
      }
    }
  }
}

/// More plans than are searched at a time, so that bitmaps are used again.
TEST_F(BitmapFilters, ManyPlansAreWhatEachOfThemIs) {
  constexpr std::size_t kPlans = 5000;
  constexpr std::size_t kDistinct = 60;
  std::vector<Plan> plans;
  for (std::size_t i = 0; i < kDistinct; ++i) {
    const std::string key = "key:k" + std::to_string(i % 20);
    const std::string number = "n:" + std::to_string(i % 7 * 10 + 1);
    plans.push_back(plain_.plan({.text = i % 3 == 0   ? key + " AND " + number
                                         : i % 3 == 1 ? key + " AND keys:m5 AND " + number
                                                      : number,
                                 .want = Want::kDocids}));
  }
  const ColumnQuery query{.k = 0, .facets = {{"flag"}}, .aggregates = {"n"}};
  std::vector<ColumnResults> expected;
  for (const Plan& plan : plans) expected.push_back(search_columns(plain_, plan, query));
  for (std::size_t i = kDistinct; i < kPlans; ++i) plans.push_back(plans[i * 7 % kDistinct]);
  const std::vector<ColumnResults> found = search_columns(plain_, plans, query);
  for (std::size_t i = 0; i < kPlans; ++i) {
    const std::size_t same = i < kDistinct ? i : i * 7 % kDistinct;
    ASSERT_EQ(found[i], expected[same]) << i;
  }
}

TEST_F(BitmapFilters, StretchesThatASearchFillsAreKnown) {
  std::vector<Plan> plans;
  for (const std::string text : {"key:k3", "n:31", "keys:m5 AND n:61", "flag:true OR key:k1"}) {
    plans.push_back(plain_.plan({.text = text, .want = Want::kDocids}));
  }
  const Results expected = plain_.search(plans);
  std::vector<Matches> matches(plans.size());
  ASSERT_TRUE(parts_of(plain_).search_to_bitmaps(plans, matches));
  for (std::size_t i = 0; i < plans.size(); ++i) {
    std::vector<std::uint8_t> touched((kDocuments + 4095) / 4096);
    for (const std::uint32_t docid : expected[i].docids) touched[docid / 4096] = 1;
    EXPECT_EQ(matches[i].segments[0].touched, touched) << i;
  }
}

}  // namespace
}  // namespace gannet::query
