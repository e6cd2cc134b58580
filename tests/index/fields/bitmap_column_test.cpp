// Columns that are kept as bitmap indexes: the same values as in any codec, and bitmaps that say
// where they are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/fields/fields_layout.hpp"
#include "index/fields/reading/bitmap_rows.hpp"
#include "index/files/checksum.hpp"
#include "index/verify.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/expect_fields.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::build_fields;
using test::change_values;
using test::codes_in;
using test::message_of;
using test::random_values;
using test::schema_of;
using test::TemporaryDirectory;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(BitmapColumn, HoldsFieldsOfEveryType) {
  const Schema schema = schema_of({"n:i8:wah", "tag:keyword:wah", "tags:keyword:multi:wah",
                                   "flag:bool:wah", "day:date:wah", "cost:decimal(2):wah",
                                   "x:f32:wah", "many:u16:multi:wah", "plain:i32"});
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    TemporaryDirectory directory;
    const std::size_t documents = std::vector<std::size_t>{1, 31, 62, 64, 1000, 3000}[seed];
    const auto values = random_values(
        schema, documents, {{1, 9, 3}, {0.5, 40, 4}, {0.01, 100, 1}, {0, 1, 1}, {1, 1, 1}}, seed);
    build_fields(directory.path(), schema, values);
    const Index index = Index::open(directory.path());
    test::expect_fields(index, values);
    EXPECT_THAT(verify_index(directory.path()).problems, IsEmpty());
    for (std::size_t f = 0; f < 8; ++f) {
      const FieldColumn& column = index.segments()[0]->field(f);
      ASSERT_NE(column.bitmaps(), nullptr);
      for (std::size_t b = 0; b < column.blocks().size(); ++b) EXPECT_EQ(column.codec(b), "wah");
    }
    EXPECT_EQ(index.segments()[0]->field(8).bitmaps(), nullptr);
  }
}

TEST(BitmapColumn, VectorsOfEachBlockSayWhereItsCodesAre) {
  TemporaryDirectory directory;
  const Schema schema = schema_of({"n:u32:wah", "tags:keyword:multi:wah"});
  const auto values = random_values(schema, 150'000, {{0.7, 300, 1}, {0.9, 50, 3}}, 5);
  build_fields(directory.path(), schema, values);
  const Index index = Index::open(directory.path());
  test::expect_fields(index, values);
  for (std::size_t f = 0; f < 2; ++f) {
    const FieldColumn& column = index.segments()[0]->field(f);
    const std::vector<std::uint64_t> codes = codes_in(column);
    ASSERT_GE(column.blocks().size(), 3u);
    for (std::size_t b = 0; b < column.blocks().size(); ++b) {
      const FieldBlock& block = column.blocks()[b];
      const BitmapBlock bitmaps = column.bitmaps()->block(b);
      std::vector<bool> even(block.count);
      std::vector<std::uint64_t> some((block.count + 63) / 64);
      for (std::uint32_t i = 0; i < block.count; i += 2) {
        even[i] = true;
        some[i / 64] |= std::uint64_t{1} << i % 64;
      }
      for (std::uint32_t v = 0; v < bitmaps.size(); v += 7) {
        std::vector<std::uint64_t> rows((block.count + 63) / 64);
        add_rows(bitmaps.atoms(v), rows);
        std::uint64_t both = 0;
        for (std::uint32_t i = 0; i < block.count; ++i) {
          const bool has = codes[block.first + i] == bitmaps.code(v);
          ASSERT_EQ((rows[i / 64] >> i % 64 & 1) != 0, has) << b << ' ' << i;
          both += has && even[i] ? 1u : 0u;
        }
        ASSERT_EQ(count_rows_in(bitmaps.atoms(v), some), both);
      }
    }
    EXPECT_THROW(column.bitmaps()->block(column.blocks().size()), UsageError);
  }
}

TEST(BitmapColumn, LongRunsAreCounted) {
  TemporaryDirectory directory;
  std::vector<test::DocumentValues> values(70'000);
  for (std::size_t d = 0; d < values.size(); ++d) values[d] = {{0, d < 40'000 ? "1" : "5"}};
  build_fields(directory.path(), schema_of({"n:u8:wah"}), values);
  const Index index = Index::open(directory.path());
  const BitmapBlock block = index.segments()[0]->field(0).bitmaps()->block(0);
  ASSERT_EQ(block.size(), 2u);
  EXPECT_LT(block.atoms(0).size(), 5u);
  const std::vector<std::uint64_t> all(1024, ~std::uint64_t{0});
  EXPECT_EQ(count_rows_in(block.atoms(0), all), 40'000u);
  EXPECT_EQ(count_rows_in(block.atoms(1), all), 25'536u);
  EXPECT_EQ(count_ones(all, 63, 129), 66u);
}

TEST(BitmapColumn, HandsOverManyValuesToAnotherCodec) {
  const auto fallbacks = [](const Schema& schema, const std::vector<test::DocumentValues>& values) {
    TemporaryDirectory directory;
    const BuildReport report = build_fields(directory.path(), schema, values);
    test::expect_fields(Index::open(directory.path()), values);
    return report.fallbacks;
  };
  std::vector<test::DocumentValues> values(5000);
  for (std::size_t d = 0; d < values.size(); ++d) values[d] = {{0, std::to_string(d)}};
  EXPECT_EQ(fallbacks(schema_of({"n:u32:wah"}), values),
            (std::vector<CodecFallback>{
                {"n", "wah", "auto",
                 "a block of 65,536 has 5000 different values, and bitmaps are of at most 4096"}}));
  values.resize(4096);
  EXPECT_TRUE(fallbacks(schema_of({"n:u32:wah"}), values).empty());
  EXPECT_EQ(fallbacks(schema_of({"n:u64:wah"}), {{{0, "0"}}, {{0, "1"}}, {{0, "5000000000"}}}),
            (std::vector<CodecFallback>{{"n", "wah", "auto", "its codes take 64 bits"}}));
}

class DamagedBitmaps : public ::testing::Test {
 protected:
  DamagedBitmaps() {
    const Schema schema = schema_of({"n:u8:wah"});
    build_fields(path(), schema, random_values(schema, 200, {{0.8, 5, 1}}, 8));
  }
  const std::filesystem::path& path() const { return directory_.path(); }

  std::string problem() const {
    EXPECT_THAT(verify_index(path(), 1).problems, ::testing::Not(IsEmpty()));
    std::string bitmaps;
    try {
      const Index index = Index::open(path());
      index.segments()[0]->field(0).bitmaps()->block(0);
    } catch (const FormatError& error) {
      bitmaps = error.what();
    }
    try {
      codes_in(Index::open(path()).segments()[0]->field(0));
      ADD_FAILURE() << "decoding says nothing";
    } catch (const FormatError& error) {
      EXPECT_EQ(bitmaps, error.what());
    }
    return bitmaps;
  }
  /// The words of the block, changed, with the right checksums.
  std::string problem_of(const std::function<void(std::vector<std::uint32_t>&)>& change,
                         bool checksum = true) {
    const auto before = test::snapshot(path());
    std::vector<std::uint32_t> changed;
    change_values<std::uint32_t>(path(), kFieldsFile, field_tag(FieldSection::kBitmaps, 0),
                                 [&](auto& words) {
                                   change(words);
                                   changed = words;
                                 });
    change_values<BitmapRow>(path(), kFieldsFile, field_tag(FieldSection::kBitmapRows, 0),
                             [&](auto& rows) {
                               rows[0].words = changed.size();
                               if (checksum) {
                                 rows[0].checksum = xxh3(std::as_bytes(std::span(changed)));
                               }
                             });
    const std::string found = problem();
    for (const auto& [name, bytes] : before) test::write_file(path() / name, bytes);
    return found;
  }
  std::string problem_of_row(const std::function<void(std::vector<BitmapRow>&)>& change) {
    const auto before = test::snapshot(path());
    change_values<BitmapRow>(path(), kFieldsFile, field_tag(FieldSection::kBitmapRows, 0), change);
    const std::string found = problem();
    for (const auto& [name, bytes] : before) test::write_file(path() / name, bytes);
    return found;
  }

  TemporaryDirectory directory_;
};

TEST_F(DamagedBitmaps, AreTold) {
  EXPECT_THAT(problem_of([](auto& w) { w.back() ^= 1; }, false),
              AllOf(HasSubstr("field 'n'"), HasSubstr("block 0"), HasSubstr("checksum")));
  EXPECT_THAT(problem_of([](auto& w) { w[0] = 0; }), HasSubstr("so many"));
  EXPECT_THAT(problem_of([](auto& w) { w[0] = 4097; }), HasSubstr("so many"));
  EXPECT_THAT(problem_of([](auto& w) { w[0] = 100; }), HasSubstr("block 0"));
  EXPECT_THAT(problem_of([](auto& w) { w.resize(1); }), HasSubstr("so many"));
  EXPECT_THAT(problem_of([](auto& w) { std::swap(w[1], w[2]); }), HasSubstr("do not ascend"));
  EXPECT_THAT(problem_of([](auto& w) { w[w[0]] = 200; }), HasSubstr("do not ascend to the limit"));
  EXPECT_THAT(problem_of([](auto& w) { w[w[0] + 2] = 0xffffffffu; }), HasSubstr("out of place"));
  EXPECT_THAT(problem_of([](auto& w) { w.push_back(0); }), HasSubstr("out of place"));
  EXPECT_THAT(problem_of([](auto& w) { w[2 + 2 * w[0]] = 0x80000000u; }), HasSubstr("wah"));
  EXPECT_THAT(problem_of([](auto& w) {
                std::uint32_t& atom = w[2 + 2 * w[0]];
                atom ^= 1;
              }),
              HasSubstr("not every place"));
  EXPECT_THAT(problem_of_row([](auto& rows) { rows[0].offset = 1; }), HasSubstr("its table says"));
  EXPECT_THAT(problem_of_row([](auto& rows) { rows[0].words -= 1; }), HasSubstr("more words"));
  EXPECT_THAT(problem_of_row([](auto& rows) { rows[0].words += 1; }), HasSubstr("its table says"));
  EXPECT_THAT(problem_of_row([](auto& rows) { rows[0].checksum += 1; }), HasSubstr("checksum"));
  EXPECT_THAT(problem_of_row([](auto& rows) { rows.clear(); }), HasSubstr("X000"));
  const auto before = test::snapshot(path());
  change_values<CodeBounds>(path(), kFieldsFile, field_tag(FieldSection::kBounds, 0),
                            [](auto& bounds) { bounds[0].least += 1; });
  EXPECT_THAT(problem(), HasSubstr("bounds"));
}

}  // namespace
}  // namespace gannet::index
