// Damaged and hostile files of fields: typed errors or problems that verify reports, no crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "codecs/base/error.hpp"
#include "index/fields/fields_layout.hpp"
#include "index/verify.hpp"
#include "tests/support/files.hpp"
#include "tests/support/index/field_data.hpp"
#include "tests/support/index/tampering.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet::index {
namespace {

using test::build_fields;
using test::change_file;
using test::change_manifest;
using test::change_values;
using test::random_values;
using test::read_file;
using test::schema_of;
using test::SectionBytes;
using test::TemporaryDirectory;
using test::write_file;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Reads all there is of the fields. What is wrong, or nothing. Any exception but Error fails.
std::optional<std::string> reading_problem(const std::filesystem::path& directory) {
  try {
    const Index index = Index::open(directory);
    for (std::size_t f = 0; f < index.schema().fields().size(); ++f) {
      const FieldColumn& column = index.segments()[0]->field(f);
      for (const std::uint64_t code : test::codes_in(column)) {
        EXPECT_LT(code, std::max<std::uint64_t>(column.code_limit(), 1));
      }
      test::values_in(column);
      if (column.dictionary() != nullptr) column.dictionary()->lower_bound("key 5");
    }
  } catch (const Error& error) {
    return error.what();
  }
  return std::nullopt;
}

std::optional<std::string> verify_problem(const std::filesystem::path& directory) {
  try {
    const VerifyReport report = verify_index(directory, 1);
    if (report.problems.empty()) return std::nullopt;
    return report.problems.front();
  } catch (const Error& error) {
    return error.what();
  }
}

class DamagedFields : public ::testing::Test {
 protected:
  DamagedFields() {
    const Schema schema = schema_of({"n:i32", "tag:keyword:multi", "x:f64", "all:u8:none"});
    values_ =
        random_values(schema, 200, {{0.7, 50, 1}, {0.8, 20, 3}, {0.5, 900, 1}, {1, 99, 1}}, 8);
    build_fields(path(), schema, values_);
    name_ = "segment-00000001.fields";
  }
  const std::filesystem::path& path() const { return directory_.path(); }

  /// Whatever a section becomes, with right checksums: told by reading or by verify.
  template <class T>
  std::string problem_of(FieldSection section, std::size_t field,
                         const std::function<void(std::vector<T>&)>& change) {
    return problem_of_section<T>(field_tag(section, field), change);
  }
  template <class T>
  std::string problem_of_section(Tag tag, const std::function<void(std::vector<T>&)>& change) {
    const auto before = test::snapshot(path());
    change_values<T>(path(), kFieldsFile, tag, change);
    const auto reading = reading_problem(path());
    const auto verified = verify_problem(path());
    EXPECT_TRUE(verified.has_value()) << to_string(tag);
    for (const auto& [name, bytes] : before) write_file(path() / name, bytes);
    return reading ? *reading : "verify: " + verified.value_or("");
  }
  std::string problem_of_row(std::size_t field, const std::function<void(FieldRow&)>& change) {
    return problem_of_section<FieldRow>(kFieldRows, [&](auto& rows) { change(rows[field]); });
  }

  TemporaryDirectory directory_;
  std::vector<test::DocumentValues> values_;
  std::string name_;
};

TEST_F(DamagedFields, EveryFlipIsFoundSlow) {
  ASSERT_EQ(reading_problem(path()), std::nullopt);
  ASSERT_EQ(verify_problem(path()), std::nullopt);
  const std::string good = read_file(path() / name_);
  std::mt19937 random(1);
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8));
    write_file(path() / name_, bad);
    reading_problem(path());
    EXPECT_NE(verify_problem(path()), std::nullopt) << "byte " << at;
  }
}

TEST_F(DamagedFields, EveryTruncationIsFoundAtOpen) {
  const std::string good = read_file(path() / name_);
  for (std::size_t size = 0; size < good.size(); size += 7) {
    write_file(path() / name_, good.substr(0, size));
    EXPECT_THAT([&] { Index::open(path()); }, ::testing::ThrowsMessage<Error>(HasSubstr(name_)));
  }
  std::filesystem::remove(path() / name_);
  EXPECT_THAT([&] { Index::open(path()); },
              ::testing::ThrowsMessage<DamageError>(HasSubstr(name_)));
}

TEST_F(DamagedFields, RowsThatCannotBe) {
  EXPECT_THAT(problem_of_row(0, [](FieldRow& row) { row.unit = 0; }),
              AllOf(HasSubstr("field 'n'"), HasSubstr("unit"), HasSubstr("rebuild")));
  EXPECT_THAT(problem_of_row(0, [](FieldRow& row) { row.unit = ~std::uint64_t{0}; }),
              HasSubstr("no key"));
  EXPECT_THAT(problem_of_row(0, [](FieldRow& row) { row.base = ~std::uint64_t{0}; }),
              HasSubstr("no key"));
  EXPECT_THAT(problem_of_row(0, [](FieldRow& row) { row.codes += 1; }), HasSubstr("201 codes"));
  EXPECT_THAT(problem_of_row(0, [](FieldRow& row) { row.having = 201; }), HasSubstr("201 of 200"));
  EXPECT_THAT(problem_of_row(0, [](FieldRow& row) { row.having = 0; }), HasSubstr("in 0 of 200"));
  EXPECT_THAT(problem_of_row(0, [](FieldRow& row) { row.having -= 1; }), HasSubstr("bitmap"));
  EXPECT_THAT(problem_of_row(0, [](FieldRow& row) { row.having = 200; }), HasSubstr("is there"));
  EXPECT_THAT(problem_of_row(3, [](FieldRow& row) { row.having = 199; }), HasSubstr("is missing"));
  EXPECT_THAT(problem_of_row(0, [](FieldRow& row) { row.strings = 1; }), HasSubstr("1 strings"));
  EXPECT_THAT(problem_of_row(0, [](FieldRow& row) { row.reserved[1] = 1; }), HasSubstr("row"));
  EXPECT_THAT(problem_of_row(0, [](FieldRow& row) { row.code_limit -= 1; }), HasSubstr("bounds"));
  EXPECT_THAT(problem_of_row(0, [](FieldRow& row) { row.code_limit += 1; }),
              HasSubstr("largest code is below"));
  EXPECT_THAT(problem_of_row(2, [](FieldRow& row) { row.code_limit = 7; }), HasSubstr("width"));
  EXPECT_THAT(problem_of_row(1, [](FieldRow& row) { row.strings += 1; }), HasSubstr("strings"));
  EXPECT_THAT(problem_of_row(1, [](FieldRow& row) { row.base = 1; }), HasSubstr("strings"));
  EXPECT_THAT(problem_of_row(1, [](FieldRow& row) { row.codes = 1; }), HasSubstr("1 codes"));
  EXPECT_THAT(problem_of_section<FieldRow>(kFieldRows, [](auto& rows) { rows.pop_back(); }),
              HasSubstr("ROWS"));
}

TEST_F(DamagedFields, TablesThatDoNotFit) {
  EXPECT_THAT(
      problem_of<std::uint64_t>(FieldSection::kPresent, 0, [](auto& w) { w[3] |= 1u << 9; }),
      HasSubstr("bitmap"));
  EXPECT_THAT(problem_of<std::uint64_t>(FieldSection::kPresent, 0, [](auto& w) { w.pop_back(); }),
              HasSubstr("P000"));
  EXPECT_THAT(problem_of<std::uint64_t>(
                  FieldSection::kPresent, 2,
                  [](auto& words) { words[3] = (words[3] & (words[3] - 1)) | 1ull << 60; }),
              HasSubstr("behind the last document"));
  EXPECT_THAT(problem_of<std::uint32_t>(FieldSection::kStarts, 1, [](auto& s) { s[5] += 100; }),
              HasSubstr("starts are wrong"));
  EXPECT_THAT(problem_of<std::uint32_t>(FieldSection::kStarts, 1, [](auto& s) { s[0] = 1; }),
              HasSubstr("starts"));
  EXPECT_THAT(problem_of<std::uint32_t>(FieldSection::kStarts, 1, [](auto& s) { s.back() += 1; }),
              HasSubstr("starts"));
  EXPECT_THAT(problem_of<CodeBounds>(FieldSection::kBounds, 0, [](auto& b) { b[0].least += 1; }),
              HasSubstr("bounds of block 0"));
  EXPECT_THAT(
      problem_of<CodeBounds>(FieldSection::kBounds, 0, [](auto& b) { b[0].greatest = 999; }),
      HasSubstr("are no codes"));
  EXPECT_THAT(problem_of<CodeBounds>(FieldSection::kBounds, 0,
                                     [](auto& b) {
                                       b[0] = {5, 4};
                                     }),
              HasSubstr("are no codes"));
  EXPECT_THAT(problem_of<CodeBounds>(FieldSection::kBounds, 0, [](auto& b) { b.clear(); }),
              HasSubstr("B000"));
}

TEST_F(DamagedFields, StringsOutOfOrder) {
  EXPECT_THAT(problem_of<char>(FieldSection::kText, 1,
                               [](auto& text) { std::fill(text.begin() + 1, text.end(), 0); }),
              HasSubstr("tag"));
  EXPECT_THAT(problem_of<char>(FieldSection::kText, 1, [](auto& text) { text.pop_back(); }),
              HasSubstr("T001"));
}

/// Moves a section of one field to another: everything fits its checksums.
TEST_F(DamagedFields, SectionsOfAnotherField) {
  for (const FieldSection section : kFieldSections) {
    for (std::size_t field = 0; field < 4; ++field) {
      for (std::size_t other = 0; other < 4; ++other) {
        const auto before = test::snapshot(path());
        bool changed = false;
        change_file(path(), kFieldsFile, [&](std::vector<SectionBytes>& sections) {
          const auto find = [&](std::size_t number) {
            return std::find_if(sections.begin(), sections.end(), [&](const SectionBytes& s) {
              return s.id == field_tag(section, number);
            });
          };
          const auto from = find(field);
          const auto to = find(other);
          if (from == sections.end() || to == sections.end()) return;
          changed = from->bytes != to->bytes;
          to->bytes = from->bytes;
        });
        reading_problem(path());
        if (changed) {
          EXPECT_NE(verify_problem(path()), std::nullopt);
        }
        for (const auto& [name, bytes] : before) write_file(path() / name, bytes);
      }
    }
  }
}

TEST_F(DamagedFields, ValuesOfADocumentThatDoNotAscend) {
  TemporaryDirectory directory;
  build_fields(directory.path(), schema_of({"n:u32:multi:none"}),
               {{{0, "0"}, {0, "9"}}, {{0, "4"}, {0, "5"}}});
  change_file(directory.path(), kFieldsFile, [](std::vector<SectionBytes>& sections) {
    // Another column in the place of the codes: 0, 9, 5, 4.
    TemporaryDirectory other;
    build_fields(other.path(), schema_of({"n:u32:none"}),
                 {{{0, "0"}}, {{0, "9"}}, {{0, "5"}}, {{0, "4"}}});
    std::string image;
    change_file(other.path(), kFieldsFile, [&](std::vector<SectionBytes>& theirs) {
      for (const SectionBytes& section : theirs) {
        if (section.id == field_tag(FieldSection::kCodes, 0)) image = section.bytes;
      }
    });
    for (SectionBytes& section : sections) {
      if (section.id == field_tag(FieldSection::kCodes, 0)) section.bytes = image;
    }
  });
  EXPECT_EQ(reading_problem(directory.path()), std::nullopt);
  EXPECT_THAT(verify_problem(directory.path()).value_or(""),
              AllOf(HasSubstr("field 'n'"), HasSubstr("document 1 do not ascend")));
}

TEST_F(DamagedFields, ASchemaThatIsNotTheFiles) {
  const Manifest good = read_manifest(path());
  const auto problem = [&](const Schema& schema) {
    change_manifest(path(), [&](Manifest& manifest) { manifest.schema = schema; });
    const auto found = reading_problem(path());
    change_manifest(path(), [&](Manifest& manifest) { manifest = good; });
    return found.value_or("");
  };
  EXPECT_THAT(problem(schema_of({"n:i32"})), HasSubstr("fields"));
  EXPECT_THAT(problem(schema_of({"n:i32:multi", "tag:keyword:multi", "x:f64", "all:u8"})),
              HasSubstr("'S000'"));
  EXPECT_THAT(problem(schema_of({"n:keyword", "tag:keyword:multi", "x:f64", "all:u8"})),
              HasSubstr("field 'n'"));
  change_manifest(path(), [&](Manifest& manifest) {
    std::erase_if(manifest.segments[0].files,
                  [](const auto& file) { return file.kind == "fields"; });
  });
  EXPECT_THAT(reading_problem(path()).value_or(""), HasSubstr("no file of kind 'fields'"));
}

}  // namespace
}  // namespace gannet::index
