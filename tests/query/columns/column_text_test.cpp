// What command lines want of columns.
#include "query/columns/column_text.hpp"

#include <gmock/gmock.h>

#include "codecs/base/error.hpp"
#include "tests/support/errors.hpp"

namespace gannet::query {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ColumnText, SortKeysHaveDirections) {
  EXPECT_THAT(parse_sort("year"), ElementsAre(SortKey{.field = "year"}));
  EXPECT_THAT(parse_sort("year:desc,price:asc,score"),
              ElementsAre(SortKey{"year", true, false}, SortKey{"price", false, false},
                          SortKey{"", true, false}));
  EXPECT_THAT(parse_sort("a.b-c:desc:missing-first,d:missing-last,score:asc"),
              ElementsAre(SortKey{"a.b-c", true, true}, SortKey{"d", false, false},
                          SortKey{"", false, false}));
  for (const char* const wrong : {"", "year,", ":desc", "year:down", "score:missing-first",
                                  "a::", "a:desc:asc", "a:missing-first:missing-first"}) {
    EXPECT_THAT(test::message_of<UsageError>([&] { parse_sort(wrong); }), HasSubstr("is no key"))
        << wrong;
  }
}

TEST(ColumnText, FacetsAndGroupsHaveNumbers) {
  EXPECT_EQ(parse_facet("tag"), (FacetRequest{"tag", 10}));
  EXPECT_EQ(parse_facet("tag:4294967295"), (FacetRequest{"tag", 4294967295}));
  EXPECT_EQ(parse_group("tag"), (GroupRequest{"tag", 10, 3}));
  EXPECT_EQ(parse_group("tag:7"), (GroupRequest{"tag", 10, 7}));
  for (const char* const wrong :
       {"", ":", "tag:", "tag:0", "tag:-1", "tag:x", "tag:4294967296", "tag:1:2", ":5"}) {
    EXPECT_THROW(parse_facet(wrong), UsageError) << wrong;
    EXPECT_THROW(parse_group(wrong), UsageError) << wrong;
  }
}

TEST(ColumnText, HistogramsHaveWidthsOrSteps) {
  EXPECT_EQ(parse_histogram("price:10"), (HistogramRequest{.field = "price", .width = "10"}));
  EXPECT_EQ(
      parse_histogram("when:month:nonempty"),
      (HistogramRequest{.field = "when", .step = HistogramStep::kMonth, .empty_bins = false}));
  EXPECT_EQ(parse_histogram("when:hour").step, HistogramStep::kHour);
  EXPECT_EQ(parse_histogram("when:year").step, HistogramStep::kYear);
  EXPECT_EQ(parse_histogram("when:day").step, HistogramStep::kDay);
  for (const char* const wrong : {"", "price", ":10", "price:10:all", "price:10:nonempty:x"}) {
    EXPECT_THAT(test::message_of<UsageError>([&] { parse_histogram(wrong); }),
                HasSubstr("FIELD:WIDTH"))
        << wrong;
  }
}

}  // namespace
}  // namespace gannet::query
