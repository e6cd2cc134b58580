// The fields of an index of the current format version, checked in as tests/data/index-fields:
// read by the library, and with nothing but what FORMAT.md says.
//
// To write one: GANNET_WRITE_GOLDEN_FIELDS=DIR test_index --gtest_filter=GoldenFields.*
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "index/files/container/container.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/expect_fields.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::DocumentValues;
using test::read_file;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::filesystem::path kData =
    std::filesystem::path(test::kSourceFolder) / "tests/data/index-fields";
constexpr const char* kFile = "segment-00000001.fields";

/// Codecs are named: auto may find smaller ones one day.
Schema schema() {
  return test::schema_of({"year:i32:none", "price:decimal(2):gpu-for:path=shop.price",
                          "tag:keyword:multi:none", "when:time:none", "exact:f64:none"});
}

std::vector<DocumentValues> documents() {
  std::vector<DocumentValues> all;
  for (int i = 0; i < 70; ++i) {
    DocumentValues values{{0, std::to_string(1950 + 10 * (i % 7))}, {4, i == 0 ? "-0.5" : "0.25"}};
    if (i % 2 == 0) values.emplace_back(1, std::to_string(i) + ".25");
    for (int j = 0; j < i % 3; ++j) values.emplace_back(2, j == 0 ? "gannet" : "dive");
    if (i == 69) values.emplace_back(3, "2024-02-29T12:00:00+01:00");
    all.push_back(std::move(values));
  }
  return all;
}

TEST(GoldenFields, AreReadable) {
  if (const char* directory = std::getenv("GANNET_WRITE_GOLDEN_FIELDS")) {
    test::build_fields(directory, schema(), documents());
  }
  const Index index = Index::open(kData);
  EXPECT_EQ(index.schema(), schema());
  test::expect_fields(index, documents());
  EXPECT_THAT(verify_index(kData).problems, IsEmpty());
}

TEST(GoldenFields, TheSameDocumentsStillGiveTheSameBytes) {
  test::TemporaryDirectory directory;
  test::build_fields(directory.path(), schema(), documents());
  EXPECT_EQ(read_file(directory.path() / kFile), read_file(kData / kFile));
}

template <class T>
std::vector<T> section(const std::string& id) {
  const ContainerReader file(kData / kFile, kFieldsFile);
  for (const SectionRow& row : file.sections()) {
    if (to_string(row.id) != id) continue;
    std::vector<T> values(row.length / sizeof(T));
    std::memcpy(values.data(), file.content(row).data(), row.length);
    return values;
  }
  return {};
}

TEST(GoldenFields, AreAsTheDocumentSays) {
  const std::uint64_t sign = std::uint64_t{1} << 63;
  const auto rows = section<std::uint64_t>("ROWS");
  ASSERT_EQ(rows.size(), 5u * 8);
  const auto row = [&](std::size_t field) {
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(8 * field);
    return std::vector<std::uint64_t>(begin, begin + 8);
  };
  EXPECT_THAT(row(0), ElementsAre(sign + 1950, 10, 7, 70, 70, 0, 0, 0));
  EXPECT_THAT(row(1), ElementsAre(sign + 25, 200, 35, 70, 35, 0, 0, 0));
  EXPECT_THAT(row(2), ElementsAre(0, 1, 2, 69, 46, 2, 0, 0));
  EXPECT_THAT(row(3), ElementsAre(sign + 1'709'204'400'000, 1, 1, 70, 1, 0, 0, 0));
  // -0.5 is bfe0..., all bits flipped; 0.25 is 3fd0..., the sign flipped.
  const std::uint64_t least = ~0xbfe0000000000000u;
  const std::uint64_t greatest = 0x3fd0000000000000u | sign;
  EXPECT_THAT(row(4), ElementsAre(least, greatest - least, 2, 70, 70, 0, 0, 0));

  EXPECT_THAT(section<std::uint64_t>("B000"), ElementsAre(0, 6));
  EXPECT_THAT(section<std::uint64_t>("P001"), ElementsAre(0x5555555555555555u, 0x15u));
  EXPECT_THAT(section<std::uint64_t>("P003"), ElementsAre(0, 1u << 5));
  EXPECT_THAT(section<std::uint64_t>("P000"), IsEmpty());
  const auto starts = section<std::uint32_t>("S002");
  ASSERT_EQ(starts.size(), 71u);
  EXPECT_THAT(std::vector(starts.begin(), starts.begin() + 5), ElementsAre(0, 0, 1, 3, 3));
  EXPECT_EQ(starts.back(), 69u);
  const auto text = section<char>("T002");
  // A length and a string; what it shares with the one before and the length of the rest, the rest.
  EXPECT_EQ(std::string(text.begin(), text.end()),
            "\x04"
            "dive\x60"
            "gannet");
  EXPECT_THAT(section<std::uint64_t>("K002"), ElementsAre(0, 12));

  // Codec none: a column file whose words, from byte 64 on, are the codes.
  const auto codes = section<std::uint32_t>("C000");
  EXPECT_EQ(codes[2], 1u);  // format version
  EXPECT_EQ(codes[3], 6u);  // u32
  for (std::uint32_t i = 0; i < 70; ++i) EXPECT_EQ(codes[16 + i], i % 7);
}

TEST(GoldenFields, TheDocumentNamesSectionsTypesAndMembers) {
  const std::string document =
      read_file(std::filesystem::path(test::kSourceFolder) / "index/FORMAT.md");
  for (const char* name : {"FLDS", "ROWS",       "Cnnn",   "Bnnn",  "Pnnn",  "Snnn", "Tnnn",
                           "Knnn", ".fields",    "schema", "multi", "codec", "path", "i8",
                           "u64",  "decimal(S)", "f32",    "date",  "time",  "bool", "keyword"}) {
    EXPECT_THAT(document, HasSubstr("`" + std::string(name) + "`"));
  }
}

}  // namespace
}  // namespace gannet::index
