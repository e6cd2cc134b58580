#include "query/results/host_columns.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

#include "query/results/results.hpp"

namespace gannet::query {
namespace {

TEST(HostColumns, CountAPlanForEachOfItsReasons) {
  ColumnReasons reasons;
  EXPECT_TRUE(reasons.none());
  reasons.add(ColumnReason::kGroups);
  reasons.add(ColumnReason::kWideCodes);
  EXPECT_TRUE(reasons.has(ColumnReason::kGroups));
  EXPECT_FALSE(reasons.has(ColumnReason::kScores));
  HostColumns columns;
  EXPECT_TRUE(columns.none());
  EXPECT_EQ(columns.text(), "");
  columns.add(reasons);
  columns.add(ColumnReason::kGroups, 2);
  EXPECT_EQ(columns[ColumnReason::kGroups], 3u);
  EXPECT_EQ(columns[ColumnReason::kWideCodes], 1u);
  EXPECT_EQ(
      columns.text(),
      "the CPU looked at columns (of 3 plans for groups, of 1 plan for values of more than 32 "
      "bits)");
}

TEST(HostColumns, EveryReasonHasNamesOfItsOwn) {
  std::set<std::string_view> names, texts;
  for (std::size_t i = 0; i < kColumnReasons; ++i) {
    names.insert(name_of(static_cast<ColumnReason>(i)));
    texts.insert(text_of(static_cast<ColumnReason>(i)));
  }
  EXPECT_EQ(names.size(), kColumnReasons);
  EXPECT_EQ(texts.size(), kColumnReasons);
  EXPECT_FALSE(names.contains(""));
}

TEST(HostColumns, ReportsAddThemUp) {
  Report one, all;
  one.host_columns.add(ColumnReason::kManyBins, 3);
  all.add(one);
  all.add(one);
  EXPECT_EQ(all.host_columns[ColumnReason::kManyBins], 6u);
}

}  // namespace
}  // namespace gannet::query
