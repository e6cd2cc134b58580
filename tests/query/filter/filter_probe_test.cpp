// Filters looked up for single documents against their bitmaps.
#include "query/filter/filter_probe.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/filter/filter_bitmap.hpp"
#include "query/filter/filter_estimates.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/deleted.hpp"
#include "tests/support/query/filters.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

class FilterProbes : public testing::Test {
 protected:
  void open(std::uint32_t documents, std::vector<test::FieldValues> fields) {
    documents_ = documents;
    fields_ = std::move(fields);
    const auto plain =
        test::write_index(directory_.path(), test::random_collection(documents, 3, 1), {});
    index_ = test::with_fields(*plain, fields_);
  }

  void expect_like_bitmap(const Filter& filter) {
    SCOPED_TRACE(to_string(filter));
    const SegmentFilter bound = bind_filter(filter, *index_, 0);
    FilterBitmap bitmap(bound, documents_);
    const DocumentBitmap& expected = bitmap.bitmap({});
    const auto probe = FilterProbe::make(bound, columns_);
    ASSERT_TRUE(probe);
    for (std::uint32_t d = 0; d < documents_; ++d) {
      ASSERT_EQ(probe->passes(d), expected.has(d)) << d;
      ASSERT_TRUE(probe->block_may_pass(d / index::kFieldBlock) || !expected.has(d)) << d;
    }
    for (std::uint32_t range = 0; range < expected.words.size(); ++range) {
      const std::uint64_t inside = range + 1 < expected.words.size() || documents_ % 64 == 0
                                       ? ~std::uint64_t{0}
                                       : (std::uint64_t{1} << documents_ % 64) - 1;
      const std::uint64_t asked = 0x5555555555555555u & inside;
      ASSERT_EQ(probe->among(asked, range), asked & expected.words[range]) << range;
    }
    EXPECT_LE(least_passing(bound, documents_), bitmap.passing());
    EXPECT_GE(open_share(bound) * documents_ + 0.5, static_cast<double>(bitmap.passing()));
  }

  std::uint32_t documents_ = 0;
  std::vector<test::FieldValues> fields_;
  test::TemporaryDirectory directory_;
  std::shared_ptr<const index::Index> index_;
  PackedColumns columns_{std::uint64_t{1} << 30};
};

TEST_F(FilterProbes, AnyFilter) {
  open(3001, test::random_fields(3001, 31));
  index_ = test::with_deleted(*index_, test::random_deletions(3001, 0.1, 3));
  test::RandomFilters filters(fields_, 32, 3001);
  for (int i = 0; i < 300; ++i) {
    const Filter filter = filters.next();
    expect_like_bitmap(i % 5 == 4 ? filter && Filter::live() : filter);
    if (HasFailure()) return;
  }
}

TEST_F(FilterProbes, BlocksThatDecide) {
  constexpr std::uint32_t kDocuments = 2 * index::kFieldBlock + 100;
  test::FieldValues rising{index::parse_field("rising:u32"), {}};
  test::FieldValues some{index::parse_field("some:u64"), {}};
  for (std::uint32_t d = 0; d < kDocuments; ++d) {
    rising.values.push_back({std::to_string(d / 16)});
    const bool there = d / index::kFieldBlock != 1 && d % 3 != 0;
    some.values.push_back(there ? std::vector{std::to_string(std::uint64_t{d} << 40)}
                                : std::vector<std::string>{});
  }
  open(kDocuments, {rising, some});
  const std::string first = std::to_string(index::kFieldBlock / 16);
  const std::string second = std::to_string(2 * index::kFieldBlock / 16);
  const std::vector<Filter> filters{
      Filter::between("rising", {}, {first, false}),
      Filter::between("rising", {first}, {second, false}),
      !Filter::between("rising", {first}, {second, false}),
      Filter::between("rising", {second}, {}) && Filter::exists("some"),
      Filter::equal("rising", "3") || Filter::exists("some"),
      !Filter::exists("some") && !Filter::equal("rising", "6"),
  };
  for (const Filter& filter : filters) expect_like_bitmap(filter);
  const SegmentFilter bound = bind_filter(filters[1], *index_, 0);
  const auto probe = FilterProbe::make(bound, columns_);
  EXPECT_FALSE(probe->block_may_pass(0));
  EXPECT_TRUE(probe->block_may_pass(1));
  EXPECT_FALSE(probe->block_may_pass(2));
  EXPECT_EQ(least_passing(bound, kDocuments), index::kFieldBlock);
  EXPECT_NEAR(share_of_open_blocks(bound, estimated_share(bound)), 1, 1e-9);
}

TEST_F(FilterProbes, BlocksAreDecodedOnceAndWhenTheyAreAsked) {
  constexpr std::uint32_t kDocuments = 2 * index::kFieldBlock;
  test::FieldValues field{index::parse_field("n:u32"), {}};
  for (std::uint32_t d = 0; d < kDocuments; ++d) field.values.push_back({std::to_string(d % 999)});
  open(kDocuments, {field});
  auto& column = dynamic_cast<const test::SegmentWithFields&>(*index_->segments()[0]).column(0);
  const SegmentFilter bound = bind_filter(Filter::range("n", "5", "500"), *index_, 0);
  const auto probe = FilterProbe::make(bound, columns_);
  EXPECT_EQ(column.decoded(), 0u);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (std::uint32_t d = 0; d < 1000; ++d)
        EXPECT_EQ(probe->passes(d), d % 999 >= 5 && d % 999 <= 500);
    });
  }
  threads.clear();
  EXPECT_EQ(column.decoded(), 1u);
  column.damage();
  EXPECT_TRUE(probe->passes(6)) << "it is there";
  EXPECT_THROW(probe->passes(index::kFieldBlock), FormatError);
}

TEST_F(FilterProbes, ColumnsWithoutRoomAreNotProbed) {
  open(3000, test::random_fields(3000, 33));
  PackedColumns few(2 * PackedColumn::bytes_for(index_->segments()[0]->field(0)));
  const Filter year = Filter::equal("year", "2000");
  const Filter ratio = Filter::equal("ratio", "3.5");
  const SegmentFilter one = bind_filter(year, *index_, 0);
  EXPECT_TRUE(FilterProbe::make(one, few));
  const SegmentFilter many =
      bind_filter(year && ratio && Filter::exists("tag") && Filter::exists("price"), *index_, 0);
  EXPECT_FALSE(FilterProbe::make(many, few)) << "all are in use at the same time";
  const SegmentFilter other = bind_filter(Filter::exists("flag"), *index_, 0);
  EXPECT_TRUE(FilterProbe::make(other, few)) << "columns that are not in use make room";
}

}  // namespace
}  // namespace gannet::query
