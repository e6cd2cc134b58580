// Queries on compressed vectors against a look at every row; candidate checks; ranks; views
// that no index wrote.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "bench/papers/wah/bitmap/bitmap_combine.hpp"
#include "bench/papers/wah/bitmap/bitmap_data.hpp"
#include "bench/papers/wah/bitmap/bitmap_exact.hpp"
#include "bench/papers/wah/bitmap/bitmap_index.hpp"
#include "bench/papers/wah/bitmap/bitmap_rank.hpp"
#include "codecs/base/error.hpp"
#include "codecs/wah/wah.hpp"

namespace gannet::wah {
namespace {

using ::testing::HasSubstr;

template <class Word>
class BitmapQueries : public ::testing::Test {};
using WordTypes = ::testing::Types<std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(BitmapQueries, WordTypes);

TYPED_TEST(BitmapQueries, SelectTheRowsThatALookAtEveryRowSelects) {
  constexpr std::uint32_t kRows = 8 * sizeof(TypeParam) - 1;
  for (const std::uint32_t rows : {1u, 2u, kRows - 1, kRows, kRows + 1, 10 * kRows, 9999u}) {
    const BinnedRows data = random_attributes(rows, {10, 3, 25, 2, 40, 7}, rows);
    const BitmapIndex<TypeParam> index = index_of<TypeParam>(data);
    ASSERT_NO_THROW(validate_bitmap(index.view()));
    for (const BitmapQuery& query : some_queries(data, rows, 40)) {
      const auto expected = expected_rows(data, query);
      const std::vector<TypeParam> selected = evaluate(index.view(), query);
      ASSERT_NO_THROW(codecs::wah_validate<TypeParam>(selected, rows));
      ASSERT_EQ(row_ids<TypeParam>(selected), expected);
      ASSERT_EQ(count_rows(index.view(), query), expected.size());
    }
  }
}

TYPED_TEST(BitmapQueries, ResultsStayCompressed) {
  // Two long runs: their OR is one fill, their AND is none.
  using Atom = codecs::WahAtom<TypeParam>;
  const std::uint64_t groups = 100'000;
  std::vector<TypeParam> first;
  codecs::WahWriter<TypeParam> writer(first);
  writer.run(true, groups / 2);
  writer.run(false, groups / 2);
  writer.flush();
  const std::vector<TypeParam> all{static_cast<TypeParam>(Atom::kFill | Atom::kOnes | groups)};
  const std::vector<TypeParam> second = without<TypeParam>(all, first);
  EXPECT_EQ(second.size(), 2u);
  EXPECT_EQ(either<TypeParam>(first, second), all);
  EXPECT_EQ(both<TypeParam>(first, second), no_rows<TypeParam>(groups));
}

/// A table of three columns of different types and ranges, and its keys.
struct Columns {
  std::vector<std::vector<BinKey>> keys;
  std::vector<KeyColumn> spans;

  explicit Columns(std::uint32_t rows) {
    std::mt19937_64 random(rows);
    std::vector<std::int8_t> a(rows);
    std::vector<std::int64_t> b(rows);
    std::vector<std::uint16_t> c(rows);
    for (std::uint32_t row = 0; row < rows; ++row) {
      a[row] = static_cast<std::int8_t>(random());
      b[row] = static_cast<std::int64_t>(random());
      c[row] = static_cast<std::uint16_t>(row / 16 + random() % 3);
    }
    keys = {bin_keys<std::int8_t>(a), bin_keys<std::int64_t>(b), bin_keys<std::uint16_t>(c)};
    for (const auto& column : keys) spans.emplace_back(column);
  }

  std::vector<std::uint32_t> expected(std::span<const ValueRange> ranges) const {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < keys[0].size(); ++row) {
      bool inside = true;
      for (const ValueRange& range : ranges) {
        const BinKey key = keys[range.attribute][row];
        inside = inside && range.least <= key && key <= range.most;
      }
      if (inside) rows.push_back(row);
    }
    return rows;
  }
};

TYPED_TEST(BitmapQueries, ExactAnswersForEveryBinning) {
  const Columns columns(3000);
  std::mt19937_64 random(21);
  for (const Binning binning : {Binning::kEqualWidth, Binning::kEqualDepth, Binning::kKMeans}) {
    BitmapIndex<TypeParam> index(3000);
    for (const auto& keys : columns.keys) index.add(make_bins(keys, binning, 9), keys);
    for (int round = 0; round < 60; ++round) {
      std::vector<ValueRange> ranges;
      for (std::uint32_t a = 0; a < 3; ++a) {
        if (random() % 3 == 0) continue;
        BinKey least = columns.keys[a][random() % 3000];
        BinKey most = columns.keys[a][random() % 3000];
        if (random() % 8 != 0 && least > most) std::swap(least, most);
        ranges.push_back({a, least, most});
      }
      const auto expected = columns.expected(ranges);
      ASSERT_EQ(exact_rows(index, columns.spans, ranges), expected);
      // The paper's semantics: nothing is missing; whole bins: nothing is too much.
      const auto touched = row_ids<TypeParam>(evaluate(index.view(), index.touching(ranges)));
      const auto sure = row_ids<TypeParam>(evaluate(index.view(), index.inside(ranges)));
      ASSERT_TRUE(std::includes(touched.begin(), touched.end(), expected.begin(), expected.end()));
      ASSERT_TRUE(std::includes(expected.begin(), expected.end(), sure.begin(), sure.end()));
    }
  }
}

TYPED_TEST(BitmapQueries, ABinAValueNeedsNoCheck) {
  std::vector<BinKey> keys;
  for (std::uint32_t row = 0; row < 1000; ++row) keys.push_back(row * 7 % 13);
  BitmapIndex<TypeParam> index(keys.size());
  index.add(distinct_bins(keys), keys);
  const ValueRange range{0, 4, 9};
  EXPECT_EQ(index.touching({{range}}).clauses, index.inside({{range}}).clauses);
  EXPECT_EQ(row_ids<TypeParam>(evaluate(index.view(), index.touching({{range}}))),
            exact_rows<TypeParam>(index, std::vector<KeyColumn>{keys}, {{range}}));
}

TYPED_TEST(BitmapQueries, BinsOfAnotherColumn) {
  // Bins from a sample; the column has values outside of it.
  const std::vector<BinKey> sample{100, 200, 300, 400};
  std::vector<BinKey> keys;
  for (BinKey key = 0; key < 600; ++key) keys.push_back(key);
  BitmapIndex<TypeParam> index(keys.size());
  index.add(make_bins(sample, Binning::kEqualWidth, 2), keys);
  for (const ValueRange range :
       {ValueRange{0, 0, 50}, ValueRange{0, 250, 599}, ValueRange{0, 90, 260}}) {
    const auto rows = exact_rows<TypeParam>(index, std::vector<KeyColumn>{keys}, {{range}});
    ASSERT_EQ(rows.size(), range.most - range.least + 1);
    EXPECT_EQ(rows.front(), range.least);
  }
}

TYPED_TEST(BitmapQueries, WrongUse) {
  EXPECT_THROW(BitmapIndex<TypeParam>(0), UsageError);
  EXPECT_THROW(BitmapIndex<TypeParam>(std::uint64_t{1} << 32), UsageError);
  const BinnedRows data = random_attributes(100, {4, 4}, 1);
  BitmapIndex<TypeParam> index = index_of<TypeParam>(data);
  EXPECT_THROW(evaluate(index.view(), {{{8}}}), UsageError);
  EXPECT_THROW(count_rows(index.view(), {{{0}, {8}}}), UsageError);
  EXPECT_THROW(index.clause(2, 0, 1), UsageError);
  EXPECT_THROW(index.clause(0, 0, 5), UsageError);
  EXPECT_THROW(index.clause(0, 3, 2), UsageError);
  EXPECT_THROW(index.touching({{{2, 0, 1}}}), UsageError);
  EXPECT_THROW(index.add(unit_bins(2), std::vector<BinKey>(99)), UsageError);
  EXPECT_THROW(index.add(unit_bins(3),
                         codecs::wah_encode_vectors<TypeParam>(std::vector<std::uint32_t>(100), 2)),
               UsageError);
  EXPECT_THROW(index.add(unit_bins(2), codecs::wah_encode_vectors<TypeParam>(
                                           std::vector<std::uint32_t>(64 * 64), 2)),
               UsageError);
  EXPECT_THROW(codecs::wah_encode_vectors<TypeParam>(std::vector<std::uint32_t>{0, 2}, 2),
               UsageError);
  EXPECT_THROW(exact_rows<TypeParam>(index, {}, {{{0, 0, 1}}}), UsageError);
}

template <class Word>
std::string refusal(const BitmapView<Word>& view) {
  try {
    validate_bitmap(view);
  } catch (const FormatError& error) {
    return error.what();
  }
  return "";
}

TYPED_TEST(BitmapQueries, ViewsThatNoIndexWroteAreRefused) {
  const BitmapIndex<TypeParam> index = index_of<TypeParam>(random_attributes(1000, {3, 5}, 2));
  const BitmapView<TypeParam> good = index.view();
  std::vector<TypeParam> atoms(good.atoms.begin(), good.atoms.end());
  std::vector<std::uint64_t> first(good.first.begin(), good.first.end());
  std::vector<std::uint32_t> attributes(good.attributes.begin(), good.attributes.end());
  const auto view = [&] { return BitmapView<TypeParam>{1000, atoms, first, attributes}; };
  EXPECT_EQ(refusal(view()), "");
  EXPECT_NE(refusal(BitmapView<TypeParam>{999, atoms, first, attributes}), "");
  EXPECT_NE(refusal(BitmapView<TypeParam>{0, atoms, first, attributes}), "");
  EXPECT_NE(refusal(BitmapView<TypeParam>{1000, atoms, {}, attributes}), "");
  ++first[3];
  EXPECT_THAT(refusal(view()), HasSubstr("vector 2"));
  first[3] = ~std::uint64_t{0};
  EXPECT_THAT(refusal(view()), HasSubstr("do not ascend"));
  first[3] = good.first[3];
  ++attributes.back();
  EXPECT_THAT(refusal(view()), HasSubstr("attributes"));
  --attributes.back();
  atoms[5] = codecs::WahAtom<TypeParam>::kFill;
  EXPECT_THAT(refusal(view()), HasSubstr("a fill of no group"));
}

TYPED_TEST(BitmapQueries, RanksFindEveryGroup) {
  using Atom = codecs::WahAtom<TypeParam>;
  std::mt19937 random(31);
  for (int round = 0; round < 90; ++round) {
    std::vector<TypeParam> atoms;
    std::vector<TypeParam> groups;
    const std::uint32_t count = 1 + static_cast<std::uint32_t>(random() % 200);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t most = round % 3 == 0 ? 1 : round % 3 == 1 ? 4 : 200;
      const std::uint32_t length = 1 + static_cast<std::uint32_t>(random() % most);
      const TypeParam ones = random() % 2 == 0 ? Atom::kOnes : TypeParam{0};
      const bool literal = random() % 2 == 0 && length == 1;
      atoms.push_back(literal ? TypeParam{i + 1}
                              : static_cast<TypeParam>(Atom::kFill | ones | length));
      groups.insert(groups.end(), length, literal ? TypeParam{i + 1} : ones != 0 ? Atom::kFull : 0);
    }
    const auto entries = make_ranks<TypeParam>(atoms, groups.size());
    ASSERT_EQ(entries.size(), (groups.size() + 127) / 128 * 4);
    for (std::size_t group = 0; group < groups.size(); ++group) {
      ASSERT_EQ(group_of<TypeParam>(entries[group / 32], group % 32, atoms.data()), groups[group]);
    }
    for (const RankEntry& entry : entries) {
      // Lanes behind the end stay inside the vector.
      if (entry.atom < kRankZeros) {
        EXPECT_LT(atom_of(entry, 31), count);
      }
    }
  }
}

TYPED_TEST(BitmapQueries, RanksOfFillsNeedNoAtom) {
  using Atom = codecs::WahAtom<TypeParam>;
  const std::vector<TypeParam> atoms{Atom::kFill | TypeParam{40}, TypeParam{7},
                                     Atom::kFill | Atom::kOnes | TypeParam{100}};
  const auto entries = make_ranks<TypeParam>(atoms, 141);
  ASSERT_EQ(entries.size(), 8u);
  EXPECT_EQ(entries[0].atom, kRankZeros);
  EXPECT_EQ(entries[1].atom, 0u);
  EXPECT_EQ(entries[1].ends, 0b110000000u);
  EXPECT_EQ(entries[2].atom, kRankOnes);
  EXPECT_EQ(entries[4].atom, kRankOnes);
  EXPECT_EQ(entries[5].atom, kRankZeros);
}

}  // namespace
}  // namespace gannet::wah
