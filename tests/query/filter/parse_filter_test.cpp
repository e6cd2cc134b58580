// The language of filters: what is read as what, and what is an error in which column.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "codecs/base/error.hpp"
#include "query/language/parse.hpp"
#include "query/plan/filter.hpp"

namespace gannet::query {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const index::Schema& schema() {
  static const index::Schema fields(
      {index::parse_field("year:i32"), index::parse_field("tag:keyword:multi"),
       index::parse_field("when:time"), index::parse_field("meta.day:date"),
       index::parse_field("ok:bool"), index::parse_field("cost:decimal(2)")});
  return fields;
}

std::string read(std::string_view text) { return to_string(parse_filter(text, schema())); }

std::string error_of(std::string_view text) {
  try {
    return "read as " + read(text);
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(ParseFilter, Values) {
  EXPECT_EQ(parse_filter("year:2000", schema()), Filter::equal("year", "2000"));
  EXPECT_EQ(parse_filter("year:-5", schema()), Filter::equal("year", "-5"));
  EXPECT_EQ(parse_filter("tag:\"b c\"", schema()), Filter::equal("tag", "b c"));
  EXPECT_EQ(parse_filter("tag:\"a\\\"b\\\\\"", schema()), Filter::equal("tag", "a\"b\\"));
  EXPECT_EQ(parse_filter("tag:b\\ c", schema()), Filter::equal("tag", "b c"));
  EXPECT_EQ(parse_filter("tag:AND", schema()), Filter::equal("tag", "AND"));
  EXPECT_EQ(parse_filter("tag:c++", schema()), Filter::equal("tag", "c++"));
  EXPECT_EQ(parse_filter("tag:\"\"", schema()), Filter::equal("tag", ""));
  EXPECT_EQ(parse_filter("when:2024-02-29T10:00:00Z", schema()),
            Filter::equal("when", "2024-02-29T10:00:00Z"));
  EXPECT_EQ(parse_filter("meta.day:2024-02-29", schema()), Filter::equal("meta.day", "2024-02-29"));
  EXPECT_EQ(parse_filter("ok:true", schema()), Filter::equal("ok", "true"));
}

TEST(ParseFilter, Ranges) {
  EXPECT_EQ(parse_filter("year:[10 TO 20]", schema()), Filter::range("year", "10", "20"));
  EXPECT_EQ(parse_filter("year:{10 TO 20}", schema()),
            Filter::between("year", {"10", false}, {"20", false}));
  EXPECT_EQ(parse_filter("year:[10 TO 20}", schema()),
            Filter::between("year", {"10"}, {"20", false}));
  EXPECT_EQ(parse_filter("year:[ * TO 20 ]", schema()), Filter::between("year", {}, {"20"}));
  EXPECT_EQ(parse_filter("year:{10 TO *}", schema()), Filter::between("year", {"10", false}, {}));
  EXPECT_EQ(parse_filter("year:[* TO *]", schema()), Filter::exists("year"));
  EXPECT_EQ(parse_filter("year:>=10", schema()), Filter::between("year", {"10"}, {}));
  EXPECT_EQ(parse_filter("year:>10", schema()), Filter::between("year", {"10", false}, {}));
  EXPECT_EQ(parse_filter("year:<=10", schema()), Filter::between("year", {}, {"10"}));
  EXPECT_EQ(parse_filter("tag:<\"b c\"", schema()), Filter::between("tag", {}, {"b c", false}));
  EXPECT_EQ(parse_filter("tag:[\"*\" TO a]", schema()), Filter::range("tag", "*", "a"));
  // Empty, and no mistake.
  EXPECT_EQ(parse_filter("year:[20 TO 10]", schema()), Filter::range("year", "20", "10"));
}

TEST(ParseFilter, SetsPrefixesAndExistence) {
  EXPECT_EQ(parse_filter("tag:(a OR b OR \"c d\")", schema()),
            Filter::any_of("tag", {"a", "b", "c d"}));
  EXPECT_EQ(parse_filter("year:( 1 )", schema()), Filter::equal("year", "1"));
  EXPECT_EQ(parse_filter("tag:pre*", schema()), Filter::prefix("tag", "pre"));
  EXPECT_EQ(parse_filter("tag:\"a b\"*", schema()), Filter::prefix("tag", "a b"));
  EXPECT_EQ(parse_filter("tag:*", schema()), Filter::exists("tag"));
  EXPECT_EQ(parse_filter("year:*", schema()), Filter::exists("year"));
  EXPECT_EQ(parse_filter("year:(5 OR [7 TO 9] OR 6)", schema()),
            Filter::any_of("year", {"5", "6"}) || Filter::range("year", "7", "9"));
  EXPECT_TRUE(parse_filter("*:*", schema()).is_all());
}

TEST(ParseFilter, ValuesWithMarksAreReadAsTheyArePrinted) {
  for (const char* value :
       {"-a", "+a", "!a", "-5", "wi?g", "wing~1", "/a/", "a&&b", "a||b", "IN"}) {
    for (const Filter& filter : {Filter::equal("tag", value), Filter::any_of("tag", {value, "b"}),
                                 Filter::prefix("tag", value), Filter::range("tag", value, value),
                                 Filter::equal("tag", value) || Filter::range("year", "-5", "5")}) {
      EXPECT_EQ(parse_filter(to_string(filter), schema()), filter) << to_string(filter);
    }
  }
  EXPECT_EQ(read("year:(-5 OR 3)"), "year:(\"-5\" OR 3)");
  EXPECT_EQ(parse_filter("tag:-a", schema()), Filter::equal("tag", "-a"));
}

TEST(ParseFilter, Operators) {
  EXPECT_EQ(read("year:1 AND tag:a OR ok:true"), "(year:1 AND tag:a) OR ok:true");
  EXPECT_EQ(read("year:1 tag:a"), "year:1 AND tag:a");
  EXPECT_EQ(read("+year:1 -tag:a"), "year:1 AND NOT tag:a");
  EXPECT_EQ(read("NOT (year:1 OR NOT tag:a)"), "NOT (year:1 OR NOT tag:a)");
  EXPECT_EQ(read("-(tag:a tag:b)"), "NOT (tag:a AND tag:b)");
  EXPECT_EQ(read("NOT *:*"), "NOT *:*");
}

TEST(ParseFilter, MistakesHaveTheirColumn) {
  const struct {
    const char* text;
    int column;
    const char* says;
  } cases[] = {
      {"yaer:2000", 1,
       "no field 'yaer' (did you mean 'year'?); fields of this index: year, tag, when, meta.day, "
       "ok"},
      {"year:1 AND tga:x", 12, "no field 'tga'"},
      {"solar year:1", 1, "'solar' is no predicate; write FIELD:VALUE"},
      {"year:2000 AND power", 15, "'power' is no predicate"},
      {"year:abc", 6, "'abc' is no value of field 'year': must be a whole number"},
      {"t\xc3\xa4g:x", 1, "is no predicate"},
      {"tag:\xc3\xa4 year:x", 12, "'x' is no value"},
      {"year:[1 TO y]", 12, "'y' is no value"},
      {"year:(1 OR x)", 12, "'x' is no value"},
      {"year:>=z", 8, "'z' is no value"},
      {"cost:1.234", 6, "at most 2 digits"},
      {"meta.day:2023-02-29", 10, "is no value of field 'meta.day'"},
      {"ok:yes", 4, "must be true or false"},
      {"year:20*", 6, "only keywords have prefixes; write a range as in year:[10 TO 20]"},
      {"when:2020*", 6, "write when:2024 for a year, when:2024-02 for a month"},
      {"meta.day:2020*", 10, "or a range as in meta.day:[2024-01-01 TO 2024-02-29]"},
      {"ok:t*", 4, "write ok:true or ok:false"},
      {"cost:1*", 6, "a range as in cost:[1.5 TO 2.5]"},
      {"when:20x0", 6, "a filter takes a year (2024) or a month (2024-02), too"},
      {"when:2024-13", 6, "names a month that the calendar does not have"},
      {"when:2023-02-29", 6, "names a day that the calendar does not have"},
      {"tag:a*b", 6, "'*' stands only at the end"},
      {"tag:*b", 5, "'*' stands only at the end"},
      {"year:", 6, "a value is missing"},
      {"year: 2000", 6, "a value is missing"},
      {"year:>", 7, "a value is missing"},
      {"year:>*", 7, "needs a value"},
      {"year:[1 2]", 9, "TO is missing"},
      {"year:[1 TO]", 9, "TO is missing"},
      {"year:[1 TO ]", 12, "a value is missing"},
      {"year:[1 TO 2", 6, "'[' is never closed"},
      {"year:[1", 6, "'[' is never closed"},
      {"year:{", 6, "'{' is never closed"},
      {"year:[1 TO 2)", 13, "a range ends with"},
      {"tag:[a* TO b]", 6, "'*' alone"},
      {"tag:(a b)", 8, "stands OR"},
      {"tag:(a AND b)", 8, "stands OR"},
      {"tag:(a OR)", 10, "a value is missing"},
      {"tag:(", 5, "'(' is never closed"},
      {"tag:()", 6, "a value is missing before ')'"},
      {"tag:(a OR b", 5, "'(' is never closed"},
      {"tag:\"a", 5, "never closed"},
      {"tag:a\"b", 6, "inside a value"},
      {"tag:\"a\"b", 8, "must stand behind the value"},
      {"tag:a\\", 6, "nothing stands behind"},
      {"tag:a^2", 6, "no weight"},
      {"(tag:a)^2", 8, "no weight"},
      {"(tag:a", 1, "'(' is never closed"},
      {"tag:a)", 6, "without a '('"},
      {"tag:a AND", 7, "needs an operand"},
      {"OR tag:a", 1, "needs an operand"},
      {"()", 1, "nothing between"},
  };
  for (const auto& c : cases) {
    const std::string column = "filter, column " + std::to_string(c.column) + ": ";
    EXPECT_THAT(error_of(c.text), AllOf(StartsWith(column), HasSubstr(c.says))) << c.text;
  }
  EXPECT_THAT(error_of(""), HasSubstr("it is empty"));
  EXPECT_THAT(error_of("  "), HasSubstr("it is empty"));
}

TEST(ParseFilter, AnIndexWithoutFieldsSaysSo) {
  EXPECT_THROW(parse_filter("year:1", {}), UsageError);
  try {
    parse_filter("year:1", {});
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("this index has no fields"));
  }
}

TEST(ParseFilter, DeepNestingIsAnErrorAndNoCrash) {
  std::string text = "tag:a";
  for (int i = 0; i < 200; ++i) text = "year:1 (year:2 OR tag:b AND NOT (tag:c OR " + text + "))";
  EXPECT_THROW(parse_filter(text, schema()), UsageError);
  text = "tag:a";
  for (int i = 0; i < 200; ++i) text = "(year:1 OR tag:b AND NOT tag:c " + text + ")";
  EXPECT_EQ(parse_filter(to_string(parse_filter(text, schema())), schema()),
            parse_filter(text, schema()));
  EXPECT_THROW(parse_filter(std::string(100'000, '('), schema()), UsageError);
}

}  // namespace
}  // namespace gannet::query
