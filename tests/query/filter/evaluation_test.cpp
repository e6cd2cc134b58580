// What passes a filter in a segment, against brute force over the values as they are spelled.
#include <gtest/gtest.h>

#include "query/filter/filter_bitmap.hpp"
#include "query/filter/filter_scan.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/filters.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using test::FieldValues;

/// Documents without words, with fields.
class Documents {
 public:
  explicit Documents(const std::vector<FieldValues>& fields) : documents_(fields[0].values.size()) {
    test::Collection collection;
    collection.lengths.assign(documents_, 1);
    index_ = test::with_fields(*test::write_index(folder_ / "index", collection), fields);
  }
  const index::Index& index() const { return *index_; }
  const test::SegmentWithFields& segment() const {
    return dynamic_cast<const test::SegmentWithFields&>(*index_->segments().front());
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(documents_); }
  SegmentFilter bind(const Filter& filter) const { return bind_filter(filter, *index_, 0); }

 private:
  test::TemporaryDirectory folder_;
  std::size_t documents_;
  std::shared_ptr<const index::Index> index_;
};

void expect_exact(const Documents& documents, const test::FilterOracle& oracle,
                  const Filter& filter) {
  FilterBitmap made(documents.bind(filter), documents.size());
  const DocumentBitmap& bitmap = made.bitmap({});
  ASSERT_EQ(bitmap.words.size(), (documents.size() + 63) / 64);
  std::uint64_t passing = 0;
  for (std::uint32_t d = 0; d < documents.size(); ++d) {
    const bool passes = oracle.passes(filter, d);
    ASSERT_EQ(bitmap.has(d), passes) << to_string(filter) << ", document " << d;
    passing += passes ? 1 : 0;
  }
  EXPECT_EQ(made.passing(), passing) << to_string(filter);
  if (documents.size() % 64 != 0 && !bitmap.words.empty()) {
    EXPECT_EQ(bitmap.words.back() >> documents.size() % 64, 0u) << to_string(filter);
  }
  EXPECT_LE(made.estimated(), documents.size());
  EXPECT_TRUE(!made.none() || passing == 0) << to_string(filter);
  EXPECT_TRUE(!made.all() || passing == documents.size()) << to_string(filter);
}

std::vector<bool> passing(const Documents& documents, const Filter& filter) {
  FilterBitmap made(documents.bind(filter), documents.size());
  const DocumentBitmap& bitmap = made.bitmap({});
  std::vector<bool> passes;
  for (std::uint32_t d = 0; d < documents.size(); ++d) passes.push_back(bitmap.has(d));
  return passes;
}

/// -0 and 0 have keys of their own, and are one number.
TEST(FilterEvaluation, MinusZeroIsZero) {
  for (const char* const type : {"f32", "f64"}) {
    const FieldValues field{index::parse_field(std::string("x:") + type),
                            {{"-1"}, {"-0.0"}, {"0"}, {"1"}, {}}};
    const Documents documents({field});
    const auto expect = [&](const char* text, const std::vector<bool>& wanted) {
      const Filter filter = parse_filter(text, documents.index().schema());
      EXPECT_EQ(passing(documents, filter), wanted) << type << ' ' << text;
    };
    for (const std::string zero : {"0", "-0", "0.0", "-0.0"}) {
      expect(("x:" + zero).c_str(), {false, true, true, false, false});
      expect(("x:>=" + zero).c_str(), {false, true, true, true, false});
      expect(("x:>" + zero).c_str(), {false, false, false, true, false});
      expect(("x:<" + zero).c_str(), {true, false, false, false, false});
      expect(("x:<=" + zero).c_str(), {true, true, true, false, false});
      expect(("x:(" + zero + " OR 1)").c_str(), {false, true, true, true, false});
    }
  }
}

/// However many values an OR has written out, a block of the column is decoded once.
TEST(FilterEvaluation, AnOrOfOneFieldReadsItsColumnOnce) {
  FieldValues field{index::parse_field("k:i32"), {}};
  FieldValues other{index::parse_field("m:i32:multi"), {}};
  for (int i = 0; i < 5000; ++i) {
    field.values.push_back({std::to_string(i * 7 % 4000)});
    other.values.push_back({std::to_string(i % 50), std::to_string(i % 70)});
  }
  const Documents documents({field, other});
  std::string text = "k:1";
  for (int i = 1; i < 300; ++i) text += " OR k:" + std::to_string(13 * i);
  for (int i = 0; i < 20; ++i) text += " OR m:" + std::to_string(3 * i);
  const Filter filter = parse_filter(text, documents.index().schema());
  expect_exact(documents, test::FilterOracle({field, other}), filter);
  FilterScan scan;
  std::vector<std::uint64_t> words((documents.size() + 63) / 64);
  scan.run(documents.bind(filter), 0, documents.size(), words);
  EXPECT_LE(scan.blocks_decoded(), 2u);
}

TEST(FilterEvaluation, IsWhatTheValuesSay) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    const std::size_t documents = seed == 0 ? 1 : 1 + seed * 37 % 400;
    const auto fields = test::random_fields(documents, seed);
    const Documents held(fields);
    const test::FilterOracle oracle(fields);
    test::RandomFilters filters(fields, seed);
    for (int i = 0; i < 100; ++i) {
      expect_exact(held, oracle, filters.next());
      if (HasFatalFailure()) return;
    }
  }
}

TEST(FilterEvaluation, SeveralBlocksSlow) {
  const auto fields = test::random_fields(2 * index::kFieldBlock + 12'345, 7);
  const Documents held(fields);
  const test::FilterOracle oracle(fields);
  test::RandomFilters filters(fields, 8);
  for (int i = 0; i < 60; ++i) {
    expect_exact(held, oracle, filters.next(2));
    if (HasFatalFailure()) return;
  }
}

TEST(FilterEvaluation, DecodesOnlyBlocksThatTheirBoundsDoNotDecide) {
  constexpr std::size_t kDocuments = 4 * index::kFieldBlock;
  FieldValues field{index::parse_field("n:u32"), {}};
  for (std::size_t d = 0; d < kDocuments; ++d) field.values.push_back({std::to_string(d)});
  const Documents held({field});
  const auto decoded = [&](const Filter& filter) {
    const std::uint64_t before = held.segment().column(0).decoded();
    FilterBitmap made(held.bind(filter), held.size());
    made.bitmap({});
    EXPECT_EQ(made.blocks_decoded(), held.segment().column(0).decoded() - before);
    return made.blocks_decoded();
  };
  const std::string block = std::to_string(index::kFieldBlock);
  const std::string two = std::to_string(2 * index::kFieldBlock - 1);
  EXPECT_EQ(decoded(Filter::range("n", block, two)), 0u);
  EXPECT_EQ(decoded(Filter::between("n", {block}, {})), 0u);
  EXPECT_EQ(decoded(Filter::between("n", {block, false}, {})), 1u);
  EXPECT_EQ(decoded(Filter::equal("n", "70000")), 1u);
  EXPECT_EQ(decoded(Filter::any_of("n", {"1", "70000"})), 2u);
  EXPECT_EQ(decoded(Filter::exists("n")), 0u);
  EXPECT_EQ(decoded(!Filter::range("n", "0", "5000000")), 0u);
  // An AND is decided where its first part passes nothing.
  EXPECT_EQ(decoded(Filter::equal("n", "3") && !Filter::equal("n", "70000")), 1u);
}

TEST(FilterEvaluation, WhatNoDocumentCanPassIsKnownUnseen) {
  const auto fields = test::random_fields(300, 3);
  const Documents held(fields);
  const auto none = [&](const Filter& filter) {
    return FilterBitmap(held.bind(filter), held.size()).none();
  };
  EXPECT_TRUE(none(Filter::equal("tag", "missing")));
  EXPECT_TRUE(none(Filter::range("year", "2010", "2000")));
  EXPECT_TRUE(none(Filter::between("year", {"2000", false}, {"2000"})));
  EXPECT_TRUE(none(Filter::exists("nobody")));
  EXPECT_TRUE(none(Filter::exists("year") && Filter::equal("tag", "missing")));
  EXPECT_TRUE(none(!Filter::exists("year")));
  EXPECT_FALSE(none(Filter::exists("tag")));
  EXPECT_TRUE(FilterBitmap(held.bind(Filter::exists("year")), held.size()).all());
}

TEST(FilterEvaluation, EndsOfTheRangeOfATypeDoNotWrap) {
  FieldValues field{index::parse_field("n:u64"), {}};
  const std::string most = "18446744073709551615";
  field.values = {{"0"}, {most}, {"5"}};
  const Documents held({field});
  const test::FilterOracle oracle({field});
  for (const std::string& end : {std::string("0"), std::string("5"), most}) {
    for (const bool inclusive : {true, false}) {
      expect_exact(held, oracle, Filter::between("n", {end, inclusive}, {}));
      expect_exact(held, oracle, Filter::between("n", {}, {end, inclusive}));
    }
  }
}

TEST(FilterEvaluation, EstimatesFollowTheBoundsOfBlocks) {
  FieldValues field{index::parse_field("n:u32"), {}};
  for (std::size_t d = 0; d < 3 * index::kFieldBlock; ++d) {
    field.values.push_back({std::to_string(d)});
  }
  const Documents held({field});
  const auto estimated = [&](const Filter& filter) {
    return FilterBitmap(held.bind(filter), held.size()).estimated();
  };
  EXPECT_EQ(estimated(Filter::range("n", "1000", "1999")), 1000u);
  EXPECT_EQ(estimated(!Filter::range("n", "1000", "1999")), held.size() - 1000);
  EXPECT_EQ(estimated(Filter::range("n", "0", "99999999")), held.size());
}

}  // namespace
}  // namespace gannet::query
