// White space of any script separates in queries and filters as a blank does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "codecs/base/error.hpp"
#include "query/language/parse.hpp"
#include "query/language/source_text.hpp"
#include "tests/support/query/show_syntax.hpp"

namespace gannet::query {
namespace {

using test::show;
using ::testing::StartsWith;

/// All that Unicode calls white space and ASCII has not; and the marks without a width.
constexpr const char* kSpaces[] = {"\u0085", "\u00a0", "\u1680", "\u2000", "\u2001", "\u2002",
                                   "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008",
                                   "\u2009", "\u200a", "\u200b", "\u2028", "\u2029", "\u202f",
                                   "\u205f", "\u3000", "\ufeff"};

const index::Schema& space_fields() {
  static const index::Schema fields({index::parse_field("year:i32"),
                                     index::parse_field("tag:keyword"),
                                     index::parse_field("title:text")});
  return fields;
}

/// The text with another character for each blank.
std::string spaced(std::string text, const std::string& space) {
  for (std::size_t at = text.find(' '); at != std::string::npos;
       at = text.find(' ', at + space.size())) {
    text.replace(at, 1, space);
  }
  return text;
}

TEST(WhiteSpace, OfAnyScriptSeparatesInQueries) {
  for (const char* text : {"a b", "a +b -c", "a AND b OR NOT c", "a year:2000 b", "(a b) c",
                           "a^2 b", "title:a b", " a ", "year:[1 TO 2] a", "tag:(x OR y) a",
                           "-(a b) +c", "tag:* a", "title:* a", "*:* -a"}) {
    const std::string expected = show(parse(text, space_fields()));
    for (const char* space : kSpaces) {
      EXPECT_EQ(show(parse(spaced(text, space), space_fields())), expected) << spaced(text, space);
    }
  }
}

TEST(WhiteSpace, OfAnyScriptSeparatesInFilters) {
  for (const char* text : {"year:1 tag:x", "+year:1 -tag:x", "year:{ 1 TO 2 ] tag:x",
                           "tag:( x OR y ) AND NOT year:<5"}) {
    for (const char* space : kSpaces) {
      EXPECT_EQ(parse_filter(spaced(text, space), space_fields()),
                parse_filter(text, space_fields()))
          << spaced(text, space);
    }
  }
}

TEST(WhiteSpace, StandsInQuotedValues) {
  EXPECT_EQ(parse_filter("tag:\"x\u3000y\"", space_fields()), Filter::equal("tag", "x\u3000y"));
}

TEST(WhiteSpace, IsToldFromOtherCharacters) {
  for (const char* space : kSpaces) EXPECT_EQ(space_at(space, 0), std::string(space).size());
  for (const char* other : {"", "a", "_", "\u00a1", "\u180e", "\u200c", "\u200d", "\u2010",
                            "\u2060", "\u3001", "\ufe0f", "\uff01"}) {
    EXPECT_EQ(space_at(other, 0), 0u) << other;
  }
  EXPECT_EQ(space_at("\xe3\x80", 0), 0u);  // cut off
  EXPECT_EQ(space_at("a", 7), 0u);
}

TEST(WhiteSpace, CountsAsOneCharacterInColumns) {
  try {
    parse("a\u3000b\u00a0)", space_fields());
    FAIL();
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), StartsWith("query, column 5: "));
  }
}

}  // namespace
}  // namespace gannet::query
