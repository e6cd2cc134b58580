// Columns that stay decoded: their codes, their room, what is damaged.
#include "query/columns/access/decoded_columns.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/columns/access/columns_in_use.hpp"
#include "query/columns/access/document_codes.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/query/collection.hpp"
#include "tests/support/query/fake_fields.hpp"
#include "tests/support/query/filters.hpp"
#include "tests/support/query/random_fields.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::query {
namespace {

using test::FakeColumn;
using test::FakeField;

constexpr std::uint32_t kBlock = 64;

/// A field of so many documents whose greatest value is `greatest`; every fifth one lacks it.
FakeField numbers(std::uint32_t documents, std::uint64_t greatest) {
  test::Random random(static_cast<unsigned>(greatest % 1000));
  FakeField field{{.name = "n", .is_signed = false}, {}, {}};
  for (std::uint32_t d = 0; d < documents; ++d) {
    field.keys.emplace_back();
    if (d % 5 == 4) continue;
    field.keys.back().push_back(d == 0 ? 0 : d == 1 ? greatest : random() % (greatest + 1));
  }
  return field;
}

/// Decodes as another column does, counts how often, and fails in one block.
class Watched : public FakeColumn {
 public:
  Watched(const FakeField& field, std::size_t bad) : FakeColumn(field, kBlock), bad_(bad) {}
  void decode(std::size_t block, std::uint32_t* out) const override {
    ++decoded;
    if (block == bad_) throw FormatError("this block is damaged");
    FakeColumn::decode(block, out);
  }
  mutable std::atomic<int> decoded = 0;

 private:
  std::size_t bad_;
};

/// Says codes that its blocks do not promise.
class Lying : public FakeColumn {
 public:
  Lying(const FakeField& field, std::uint32_t position)
      : FakeColumn(field, kBlock), position_(position) {}
  void decode(std::size_t block, std::uint32_t* out) const override {
    FakeColumn::decode(block, out);
    if (position_ / kBlock == block) out[position_ % kBlock] = 0xffffffff;
  }

 private:
  std::uint32_t position_;
};

TEST(DecodedColumns, CodesAreThoseOfTheColumnInTheFewestBytes) {
  const std::pair<std::uint64_t, std::uint64_t> widths[] = {
      {0xff, 1}, {0x100, 2}, {0xffff, 2}, {0x10000, 4}, {0xffffffff, 4}, {0x100000000, 8}};
  for (const auto& [greatest, width] : widths) {
    const FakeColumn column(numbers(200, greatest), kBlock);
    const DecodedColumn decoded(column);
    EXPECT_EQ(decoded.bytes(), 200 * width) << greatest;
    for (std::size_t b = 0; b < column.blocks().size(); ++b) {
      const index::FieldBlock& block = column.blocks()[b];
      std::vector<std::uint64_t> expected(block.count);
      column.decode(b, expected.data());
      decoded.with_block(b, [&, greatest = greatest, width = width](const auto& codes) {
        ASSERT_EQ(codes.size(), block.count);
        EXPECT_EQ(sizeof(codes[0]), width);
        for (std::uint32_t i = 0; i < block.count; ++i) {
          if (!column.has(static_cast<std::uint32_t>(block.first + i))) continue;
          ASSERT_EQ(codes[i], expected[i]) << greatest << ", " << block.first + i;
        }
      });
    }
  }
}

TEST(DecodedColumns, BlocksAreDecodedOnceByWhoeverComesFirst) {
  const Watched column(numbers(500, 1000), 1000);
  const DecodedColumn decoded(column);
  EXPECT_EQ(column.decoded, 0);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (std::size_t b = 0; b < column.blocks().size(); ++b) {
        decoded.with_block(b, [](const auto&) {});
      }
    });
  }
  threads.clear();
  EXPECT_EQ(column.decoded, static_cast<int>(column.blocks().size()));
}

TEST(DecodedColumns, DamageIsToldEachTime) {
  const Watched column(numbers(500, 1000), 2);
  const DecodedColumn decoded(column);
  const auto read = [&](std::size_t block) { decoded.with_block(block, [](const auto&) {}); };
  for (int i = 0; i < 2; ++i) {
    EXPECT_THROW(read(2), FormatError);
    EXPECT_NO_THROW(read(1));
  }
}

TEST(DecodedColumns, CodesOfNobodyMayBeAnything) {
  const FakeField field = numbers(200, 200);
  const Lying elsewhere(field, 69);  // a document without the field
  EXPECT_NO_THROW(DecodedColumn(elsewhere).with_block(1, [](const auto&) {}));
  const Lying here(field, 70);
  const std::string said =
      test::message_of<FormatError>([&] { DecodedColumn(here).with_block(1, [](const auto&) {}); });
  EXPECT_THAT(said, ::testing::HasSubstr("field 'n'"));
}

TEST(DecodedColumns, ThoseThatWereNotUsedForLongGoFirst) {
  const FakeField field = numbers(100, 200);
  std::vector<FakeColumn> columns;
  columns.reserve(4);
  for (int i = 0; i < 4; ++i) columns.emplace_back(field, kBlock);
  DecodedColumns kept(300);
  const auto first = kept.of(columns[0]).get();
  kept.of(columns[1]);
  kept.of(columns[2]);
  EXPECT_EQ(kept.bytes(), 300u);
  EXPECT_EQ(kept.of(columns[0]).get(), first);
  const auto used = kept.of(columns[1]);
  kept.of(columns[3]);  // in the place of columns[2]
  EXPECT_EQ(kept.bytes(), 300u);
  EXPECT_EQ(kept.of(columns[0]).get(), first);
  EXPECT_EQ(kept.of(columns[1]).get(), used.get());
}

TEST(DecodedColumns, WhatIsInUseStays) {
  const FakeColumn a(numbers(100, 200), kBlock);
  const FakeColumn b(numbers(100, 201), kBlock);
  DecodedColumns kept(150);
  auto used = kept.of(a);
  EXPECT_EQ(kept.of(b), nullptr);
  used.reset();
  EXPECT_NE(kept.of(b), nullptr);
  EXPECT_EQ(kept.bytes(), 100u);
}

TEST(DecodedColumns, WithoutRoomThereAreNone) {
  const FakeColumn column(numbers(100, 0x1ffff), kBlock);
  EXPECT_EQ(DecodedColumns(0).of(column), nullptr);
  EXPECT_EQ(DecodedColumns(399).of(column), nullptr);
  EXPECT_NE(DecodedColumns(400).of(column), nullptr);
}

TEST(DecodedColumns, ACallAsksForEachOnceAndHoldsIt) {
  test::TemporaryDirectory folder;
  test::Collection collection;
  collection.lengths.assign(100, 10);
  collection.frequencies["word"].assign(100, 1);
  std::vector<test::FieldValues> fields{{index::parse_field("a:u32"), {}},
                                        {index::parse_field("b:u32"), {}}};
  for (std::size_t d = 0; d < 100; ++d) {
    fields[0].values.push_back({std::to_string(d)});
    fields[1].values.push_back({std::to_string(d * 2)});
  }
  const auto index = test::with_fields(*test::write_index(folder / "index", collection), fields);
  DecodedColumns kept(100);  // for one of the two
  {
    const ColumnsInUse columns(kept, *index);
    std::vector<const DecodedColumn*> found(8);
    std::vector<std::thread> threads;
    for (const DecodedColumn*& one : found) {
      threads.emplace_back([&] { one = columns.of(0, 0); });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_NE(found[0], nullptr);
    EXPECT_EQ(found, std::vector<const DecodedColumn*>(8, found[0]));
    EXPECT_EQ(columns.of(0, 1), nullptr);
    EXPECT_EQ(kept.of(index->segments()[0]->field(1)), nullptr);
  }
  EXPECT_NE(kept.of(index->segments()[0]->field(1)), nullptr) << "the call is over";
}

}  // namespace
}  // namespace gannet::query
