// Filters as data: how they are put together, compared and printed.
#include "query/plan/filter.hpp"

#include <gtest/gtest.h>

#include "codecs/base/error.hpp"
#include "tests/support/query/filters.hpp"

namespace gannet::query {
namespace {

TEST(Filter, OperatorsReadAsInTheLanguage) {
  const Filter a = Filter::range("year", "2000", "2010");
  const Filter b = Filter::equal("tag", "draft");
  EXPECT_EQ(to_string(a && !b), "year:[2000 TO 2010] AND NOT tag:draft");
  EXPECT_EQ(to_string(!(a || b)), "NOT (year:[2000 TO 2010] OR tag:draft)");
  EXPECT_EQ(to_string(Filter::any_of("tag", {"b c", "a", "b c", "OR"})),
            "tag:(\"OR\" OR a OR \"b c\")");
  EXPECT_EQ(to_string(Filter::between("x", {"1", false}, {})), "x:{1 TO *]");
  EXPECT_EQ(to_string(Filter::prefix("tag", "a\"\\")), "tag:\"a\\\"\\\\\"*");
  EXPECT_EQ(to_string(Filter::exists("tag")), "tag:*");
  EXPECT_EQ(to_string(!Filter::document(17)), "NOT document 17");
  EXPECT_EQ(to_string(Filter::all()), "*:*");
  EXPECT_EQ(to_string(Filter::none()), "NOT *:*");
}

TEST(Filter, ADocumentIsOfNoField) {
  EXPECT_EQ(Filter::document(17), Filter::document(17));
  EXPECT_NE(Filter::document(17), Filter::document(18));
  EXPECT_NO_THROW(check_filter(!Filter::document(17), index::Schema()));
}

TEST(Filter, ChainsAreFlatAndWhatDecidesNothingIsGone) {
  const Filter a = Filter::equal("f", "a"), b = Filter::equal("f", "b"),
               c = Filter::equal("f", "c");
  EXPECT_EQ(to_string((a && b) && (b && c)), "f:a AND f:b AND f:c");
  EXPECT_EQ(a && Filter::all(), a);
  EXPECT_EQ(Filter::none() || a, a);
  EXPECT_EQ((a && Filter::none()).kind(), Filter::Kind::kNone);
  EXPECT_TRUE((a || Filter::all()).is_all());
  EXPECT_EQ(a && a, a);
  EXPECT_EQ(!!a, a);
  EXPECT_TRUE((!Filter::none()).is_all());
  EXPECT_EQ(Filter::any_of("f", {}).kind(), Filter::Kind::kNone);
  EXPECT_EQ(Filter::prefix("f", ""), Filter::exists("f"));
  EXPECT_EQ(Filter::between("f", {}, {}), Filter::exists("f"));
}

TEST(Filter, CombiningLeavesTheOperandsAsTheyWere) {
  const Filter a = Filter::equal("f", "a") && Filter::equal("f", "b");
  const Filter copy = a;
  const Filter longer = a && Filter::equal("f", "c");
  EXPECT_EQ(a, copy);
  EXPECT_EQ(a.parts().size(), 2u);
  EXPECT_EQ(longer.parts().size(), 3u);
}

TEST(Filter, EqualFiltersAreWrittenAlike) {
  const auto make = [](const char* value, bool inclusive) {
    return Filter::between("f", {value, inclusive}, {}) || Filter::equal("g", "1");
  };
  EXPECT_EQ(make("1", true), make("1", true));
  EXPECT_EQ(make("1", true).hash(), make("1", true).hash());
  EXPECT_NE(make("1", true), make("1", false));
  EXPECT_NE(make("1", true), make("2", true));
  EXPECT_NE(make("1", true), Filter::all());
  EXPECT_NE(Filter::equal("f", "1"), Filter::prefix("f", "1"));
  EXPECT_EQ(Filter::any_of("f", {"b", "a"}), Filter::any_of("f", {"a", "b"}));
}

TEST(Filter, NestingAndSizeHaveLimits) {
  Filter deep = Filter::equal("f", "a");
  const auto nest = [&](std::uint32_t levels) {
    for (std::uint32_t i = 0; i < levels; ++i) {
      deep = Filter::equal("f", "b") && !std::move(deep);
    }
  };
  nest(499);
  EXPECT_THROW(nest(2), UsageError);
  Filter wide = Filter::equal("f", "a");
  EXPECT_THROW(
      {
        for (int i = 0; i < 40; ++i) wide = (wide && !wide) || (wide && Filter::equal("g", "b"));
      },
      UsageError);
  // A long chain is no deep one, and is built in linear time.
  Filter chain = Filter::none();
  for (int i = 0; i < 200'000; ++i) {
    chain = std::move(chain) || Filter::equal("f", std::to_string(i));
  }
  EXPECT_EQ(chain.parts().size(), 200'000u);
}

TEST(Filter, APrintedFilterIsReadAsTheSame) {
  const auto fields = test::random_fields(200, 1);
  const index::Schema schema = test::schema_of(fields);
  test::RandomFilters filters(fields, 2);
  for (int i = 0; i < 2000; ++i) {
    const Filter filter = filters.next(4);
    const std::string text = to_string(filter);
    EXPECT_EQ(parse_filter(text, schema), filter) << text;
  }
}

TEST(Filter, FieldsAndValuesAreChecked) {
  const index::Schema schema({index::parse_field("year:i32"), index::parse_field("tag:keyword")});
  EXPECT_NO_THROW(check_filter(Filter::equal("year", "1") && Filter::prefix("tag", "a"), schema));
  EXPECT_THROW(check_filter(!Filter::equal("yaer", "1"), schema), UsageError);
  EXPECT_THROW(check_filter(Filter::equal("", "1"), schema), UsageError);
  EXPECT_THROW(check_filter(Filter::equal("year", "x"), schema), UsageError);
  EXPECT_THROW(check_filter(Filter::range("year", "1", "x"), schema), UsageError);
  EXPECT_THROW(check_filter(Filter::prefix("year", "1"), schema), UsageError);
}

}  // namespace
}  // namespace gannet::query
