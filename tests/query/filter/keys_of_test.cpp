// What a text in a filter means: one value, or all of a day, a month or a year.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/fields/key_map.hpp"
#include "query/searcher.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/fields.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using index::KeySpan;
using ::testing::HasSubstr;

const index::FieldSpec kWhenField = index::parse_field("when:time");
const index::FieldSpec kDayField = index::parse_field("day:date");

KeySpan keys_between(const index::FieldSpec& field, const char* first, const char* last) {
  return {index::key_of(field, first).value(), index::key_of(field, last).value()};
}

TEST(ValueSpan, OfATimeIsAllOfTheDayMonthOrYear) {
  EXPECT_EQ(keys_of(kWhenField, "2020-01-31"),
            keys_between(kWhenField, "2020-01-31T00:00:00.000Z", "2020-01-31T23:59:59.999Z"));
  EXPECT_EQ(keys_of(kWhenField, "2020-02"),
            keys_between(kWhenField, "2020-02-01T00:00", "2020-02-29T23:59:59.999"));
  EXPECT_EQ(keys_of(kWhenField, "2021-02"),
            keys_between(kWhenField, "2021-02-01T00:00", "2021-02-28T23:59:59.999"));
  EXPECT_EQ(keys_of(kWhenField, "2020"),
            keys_between(kWhenField, "2020-01-01T00:00", "2020-12-31T23:59:59.999"));
  EXPECT_EQ(keys_of(kWhenField, "9999"),
            keys_between(kWhenField, "9999-01-01T00:00", "9999-12-31T23:59:59.999"));
  // With a clock it is a moment.
  EXPECT_EQ(keys_of(kWhenField, "2020-01-31T10:00"),
            keys_between(kWhenField, "2020-01-31T10:00", "2020-01-31T10:00"));
}

TEST(ValueSpan, OfADateIsAllOfTheMonthOrYear) {
  EXPECT_EQ(keys_of(kDayField, "2020-01-31"), keys_between(kDayField, "2020-01-31", "2020-01-31"));
  EXPECT_EQ(keys_of(kDayField, "2020-12"), keys_between(kDayField, "2020-12-01", "2020-12-31"));
  EXPECT_EQ(keys_of(kDayField, "0001"), keys_between(kDayField, "0001-01-01", "0001-12-31"));
}

TEST(ValueSpan, OfAFloatHasBothZeros) {
  const index::FieldSpec ratio = index::parse_field("ratio:f64");
  EXPECT_EQ(keys_of(ratio, "0"), keys_between(ratio, "-0", "0"));
  EXPECT_EQ(keys_of(ratio, "-0.0"), keys_between(ratio, "-0", "0"));
  EXPECT_EQ(keys_of(ratio, "1.5"), keys_between(ratio, "1.5", "1.5"));
}

TEST(ValueSpan, RefusesWhatTheCalendarLacks) {
  std::string why;
  for (const char* text : {"0000", "2020-00", "2020-13", "20", "2020-1", "2020-", "2020-02-30"}) {
    EXPECT_FALSE(keys_of(kWhenField, text, &why)) << text;
    EXPECT_FALSE(keys_of(kDayField, text, &why)) << text;
    EXPECT_THAT(why, HasSubstr("a filter takes a year (2024) or a month (2024-02), too")) << text;
  }
  EXPECT_FALSE(keys_of(kDayField, "2020-01-01T00:00", &why));
}

/// Documents by times: midnight, the last millisecond of a day, and what lies between and beside.
class FiltersByTime : public testing::Test {
 protected:
  FiltersByTime()
      : index_(test::with_fields(*test::write_index(folder_ / "index", collection()), fields())),
        searcher_(index_, {.backend = BackendChoice::kCpu, .cpu = {}, .cuda = {}}) {}

  static const std::vector<std::string>& times() {
    static const std::vector<std::string> all{"2019-12-31T23:59:59.999Z", "2020-01-01T00:00:00Z",
                                              "2020-01-30T12:00:00Z",     "2020-01-31T00:00:00Z",
                                              "2020-01-31T23:59:59.999Z", "2020-02-01T00:00:00Z",
                                              "2020-12-31T23:59:59.999Z", "2021-01-01T00:00:00Z"};
    return all;
  }
  static test::Collection collection() {
    test::Collection documents;
    documents.lengths.assign(times().size(), 1);
    documents.frequencies["t1"].assign(times().size(), 1);
    return documents;
  }
  static std::vector<test::FieldValues> fields() {
    test::FieldValues when{kWhenField, {}};
    test::FieldValues day{kDayField, {}};
    for (const std::string& time : times()) {
      when.values.push_back({time});
      day.values.push_back({time.substr(0, 10)});
    }
    return {when, day};
  }
  std::vector<std::uint32_t> docids(const std::string& text) const {
    const Plan plan = searcher_.plan(Query{.text = text, .want = Want::kDocids});
    const Results results = searcher_.search({&plan, 1});
    return {results.docids.begin(), results.docids.end()};
  }

  test::TemporaryDirectory folder_;
  std::shared_ptr<const index::Index> index_;
  Searcher searcher_;
};

using DocidList = std::vector<std::uint32_t>;

TEST_F(FiltersByTime, ARangeOfDaysHasItsWholeLastDay) {
  EXPECT_EQ(docids("when:[2020-01-01 TO 2020-01-31]"), (DocidList{1, 2, 3, 4}));
  EXPECT_EQ(docids("when:{2020-01-01 TO 2020-01-31}"), (DocidList{2}));
  EXPECT_EQ(docids("when:[2020-01-01 TO 2020-01-31}"), (DocidList{1, 2}));
  EXPECT_EQ(docids("when:{2020-01-30 TO 2020-01-31]"), (DocidList{3, 4}));
  EXPECT_EQ(docids("when:[2020-01 TO 2020-02]"), (DocidList{1, 2, 3, 4, 5}));
  EXPECT_EQ(docids("when:[2020-01-31 TO 2020-01-31T00:00]"), (DocidList{3}));
}

TEST_F(FiltersByTime, ComparisonsTakeWholeDaysMonthsAndYears) {
  EXPECT_EQ(docids("when:<=2020-01-31"), (DocidList{0, 1, 2, 3, 4}));
  EXPECT_EQ(docids("when:<2020-01-31"), (DocidList{0, 1, 2}));
  EXPECT_EQ(docids("when:>2020-01-31"), (DocidList{5, 6, 7}));
  EXPECT_EQ(docids("when:>=2020-01-31"), (DocidList{3, 4, 5, 6, 7}));
  EXPECT_EQ(docids("when:>=2020"), (DocidList{1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(docids("when:>2020"), (DocidList{7}));
  EXPECT_EQ(docids("when:<2020"), (DocidList{0}));
}

TEST_F(FiltersByTime, AValueIsTheWholeDayMonthOrYear) {
  EXPECT_EQ(docids("when:2020-01-31"), (DocidList{3, 4}));
  EXPECT_EQ(docids("when:2020-01"), (DocidList{1, 2, 3, 4}));
  EXPECT_EQ(docids("when:2020"), (DocidList{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(docids("when:(2019 OR 2021)"), (DocidList{0, 7}));
  EXPECT_EQ(docids("-when:2020"), (DocidList{0, 7}));
  EXPECT_EQ(docids("when:2020-01-31T23:59:59.999"), (DocidList{4}));
  EXPECT_EQ(docids("day:2020-01"), (DocidList{1, 2, 3, 4}));
  EXPECT_EQ(docids("day:[2020 TO 2020-01]"), (DocidList{1, 2, 3, 4}));
}

TEST_F(FiltersByTime, MadeByHandMeanTheSame) {
  const Query query{.text = "*:*",
                    .filter = Filter::range("when", "2020-01-01", "2020-01-31"),
                    .want = Want::kCount};
  EXPECT_EQ(searcher_.search(query).count, 4u);
}

}  // namespace
}  // namespace gannet::query
