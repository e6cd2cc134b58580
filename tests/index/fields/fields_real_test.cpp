// Columns of real tables as fields, joined to documents by row.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "codecs/columns.hpp"
#include "index/verify.hpp"
#include "tests/support/compression.hpp"
#include "tests/support/index/field_data.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

struct RealColumn {
  std::string name;
  std::vector<std::int32_t> values;
};

std::vector<RealColumn> real_columns() {
  std::vector<RealColumn> columns;
  std::set<std::filesystem::path> files;
  const std::filesystem::path folder = test::data_folder() / "columns";
  if (test::data_folder().empty() || !std::filesystem::exists(folder)) return columns;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().string().ends_with(".i32.zst")) files.insert(entry.path());
  }
  for (const auto& file : files) {
    const std::string bytes = test::read_zstd(file);
    RealColumn column{file.stem().stem().string(), {}};
    column.values.resize(bytes.size() / sizeof(std::int32_t));
    std::memcpy(column.values.data(), bytes.data(), column.values.size() * sizeof(std::int32_t));
    columns.push_back(std::move(column));
  }
  return columns;
}

/// Bytes of the column's blocks if one codec codes all of them.
std::uint64_t bytes_with(const codecs::Codec& codec, const FieldColumn& column) {
  const codecs::Parameters standard;
  std::uint64_t bytes = 0;
  for (std::size_t b = 0; b < column.blocks().size(); ++b) {
    std::vector<std::uint32_t> codes(column.blocks()[b].count);
    column.decode(b, codes.data());
    std::vector<std::uint32_t> words;
    codec.encode(codecs::ValueType::kU32, std::as_bytes(std::span(codes)), standard, words);
    bytes += words.size() * sizeof words[0];
  }
  return bytes;
}

/// Bytes of the column as a bitmap index; nothing if it has too many different values.
std::optional<std::uint64_t> bytes_as_bitmaps(const RealColumn& column) {
  std::vector<test::DocumentValues> documents;
  for (const std::int32_t value : column.values) documents.push_back({{0, std::to_string(value)}});
  test::TemporaryDirectory directory;
  try {
    test::build_fields(directory.path(), test::schema_of({"column:i32:wah"}), documents);
  } catch (const UsageError&) {
    return std::nullopt;
  }
  const Index index = Index::open(directory.path());
  const FieldColumn& bitmaps = index.segments()[0]->field(0);
  const std::vector<std::uint64_t> codes = test::codes_in(bitmaps);
  std::uint64_t bytes = 0;
  for (std::size_t b = 0; b < bitmaps.blocks().size(); ++b) bytes += bitmaps.bytes(b);
  for (std::size_t row = 0; row < column.values.size(); ++row) {
    const std::string text = value_text(bitmaps.spec(), bitmaps.keys().key(codes[row]));
    EXPECT_EQ(text, std::to_string(column.values[row])) << column.name << ", row " << row;
    if (text != std::to_string(column.values[row])) break;
  }
  return bytes;
}

/// A line of the table of bench/history/2026-11-23-columns-by-codec.md.
void print_row(const std::string& name, std::uint64_t rows,
               const std::map<std::string, std::uint64_t>& bytes) {
  std::printf("| %s | %llu |", name.c_str(), static_cast<unsigned long long>(rows));
  for (const char* const codec : {"auto", "deflate", "cascaded", "rle-v2", "gpu-rfor", "gpu-for",
                                  "gpu-bp128", "nsf", "bitmaps"}) {
    const auto found = bytes.find(codec);
    if (found == bytes.end()) {
      std::printf(" - |");
    } else {
      std::printf(" %llu |", static_cast<unsigned long long>(found->second));
    }
  }
  std::printf("\n");
}

TEST(RealFields, AutoIsAsSmallAsTheBestSingleCodecSlow) {
  const std::vector<RealColumn> columns = real_columns();
  if (columns.empty()) {
    GTEST_SKIP() << "no real columns: set GANNET_DATA to a folder with columns/*.i32.zst";
  }
  std::vector<FieldSpec> fields;
  std::size_t rows = 0;
  for (const RealColumn& column : columns) {
    fields.push_back(parse_field(column.name + ":i32"));
    rows = std::max(rows, column.values.size());
  }
  std::vector<test::DocumentValues> documents(rows);
  for (std::uint32_t f = 0; f < columns.size(); ++f) {
    for (std::size_t row = 0; row < columns[f].values.size(); ++row) {
      documents[row].emplace_back(f, std::to_string(columns[f].values[row]));
    }
  }
  test::TemporaryDirectory directory;
  test::build_fields(directory.path(), Schema(fields), documents);
  EXPECT_THAT(verify_index(directory.path()).problems, ::testing::IsEmpty());
  const Index index = Index::open(directory.path());
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const FieldColumn& column = index.segments()[0]->field(f);
    const std::vector<std::uint64_t> codes = test::codes_in(column);
    for (std::size_t row = 0; row < columns[f].values.size(); ++row) {
      const std::uint64_t key = *key_of(fields[f], std::to_string(columns[f].values[row]));
      ASSERT_EQ(column.keys().key(codes[row]), key) << fields[f].name << ", row " << row;
    }
    std::uint64_t own = 0;
    for (std::size_t b = 0; b < column.blocks().size(); ++b) own += column.bytes(b);
    std::uint64_t best = ~std::uint64_t{0};
    std::map<std::string, std::uint64_t> bytes{{"auto", own}};
    for (const codecs::Codec& codec : codecs::all_codecs()) {
      if (!codec.takes(codecs::ValueType::kU32)) continue;
      const std::uint64_t all = bytes_with(codec, column);
      bytes.emplace(codec.name, all);
      best = std::min(best, all);
    }
    if (const auto bitmaps = bytes_as_bitmaps(columns[f])) bytes.emplace("bitmaps", *bitmaps);
    print_row(fields[f].name, columns[f].values.size(), bytes);
    EXPECT_LE(static_cast<double>(own), 1.01 * static_cast<double>(best)) << fields[f].name;
  }
}

}  // namespace
}  // namespace gannet::index
