// Tables joined to posting lists by row: every type of field, and damaged tables.
#include <gmock/gmock.h>

#include <map>
#include <random>

#include "codecs/base/error.hpp"
#include "corpora/documents/rows.hpp"
#include "corpora/lists/ciff.hpp"
#include "corpora/lists/ds2i.hpp"
#include "index/verify.hpp"
#include "tests/support/compression.hpp"
#include "tests/support/index/expect_fields.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::open_rows;
using test::DocumentValues;
using ::testing::IsEmpty;

/// Every type of field, from tables of every kind, with ds2i and with CIFF.
class RowsOfLists : public ::testing::Test {
 protected:
  static index::Schema schema(bool multi) {
    const std::string more = multi ? ":multi" : "";
    std::vector<index::FieldSpec> fields;
    for (const char* const type : {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64",
                                   "decimal(3)", "f32", "f64", "date", "time", "bool", "keyword"}) {
      fields.push_back(index::parse_field("f" + std::to_string(fields.size()) + ":" + type + more));
    }
    fields.push_back(index::parse_field("body:stored"));
    return index::Schema(std::move(fields));
  }
  /// Such that every table can hold them: printable, and not empty.
  static std::vector<DocumentValues> values(const index::Schema& schema, std::size_t count,
                                            std::uint64_t seed) {
    auto all = test::random_values(schema, count, {{0.8, 300, 3}, {0.1, 100'000, 2}}, seed);
    for (DocumentValues& row : all) {
      std::erase_if(row, [](const auto& value) { return value.second.empty(); });
      for (auto& [field, text] : row) {
        if (schema.fields()[field].type != index::FieldType::kStored) continue;
        for (char& c : text) c = static_cast<char>(' ' + static_cast<unsigned char>(c) % 95);
      }
    }
    return all;
  }

  void make_lists(std::size_t documents) {
    const std::vector<DocumentValues> none(documents);
    test::build_fields(directory_ / "plain", {}, none);
    const index::Index index = index::Index::open(directory_ / "plain");
    corpora::export_ds2i(index, directory_ / "lists");
    corpora::export_ciff(index, directory_ / "lists.ciff");
  }
  std::unique_ptr<index::InvertedSource> lists(bool ciff) {
    return ciff ? corpora::open_ciff(directory_ / "lists.ciff")
                : corpora::open_ds2i(directory_ / "lists");
  }
  void expect_joined(const index::Schema& schema, const std::filesystem::path& table, bool ciff,
                     const std::vector<DocumentValues>& values) {
    index::BuildOptions build;
    build.write.schema = schema;
    build.write.overwrite = true;
    const auto rows = open_rows({table}, {.schema = schema});
    build.rows = rows.get();
    index::build_inverted(*lists(ciff), directory_ / "joined", build);
    const index::Index index = index::Index::open(directory_ / "joined");
    test::expect_fields(index, values);
    EXPECT_THAT(index::verify_index(directory_ / "joined").problems, IsEmpty());
  }

  test::TemporaryDirectory directory_;
};

std::string in_quotes(std::string_view text, char escape) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == escape) out += escape;
    out += c;
  }
  return out + '"';
}

/// A table with a header; of a field a document has one value or none.
std::string table_of(const index::Schema& schema, const std::vector<DocumentValues>& values,
                     char separator) {
  std::string text;
  for (const auto& field : schema.fields()) text += field.name + separator;
  text.back() = '\n';
  for (const DocumentValues& row : values) {
    std::vector<std::string> cells(schema.fields().size());
    for (const auto& [field, value] : row) {
      cells[field] = separator == ',' ? in_quotes(value, '"') : value;
    }
    for (const std::string& cell : cells) text += cell + separator;
    text.back() = '\n';
  }
  return text;
}

std::string json_of(const index::Schema& schema, const std::vector<DocumentValues>& values) {
  std::string text;
  for (const DocumentValues& row : values) {
    std::map<std::uint32_t, std::string> members;
    for (const auto& [field, value] : row) {
      std::string& member = members[field];
      member += (member.empty() ? "" : ", ") + in_quotes(value, '\\');
    }
    std::string object;
    for (const auto& [field, member] : members) {
      object += (object.empty() ? "" : ", ") + in_quotes(schema.fields()[field].name, '\\') +
                ": [" + member + "]";
    }
    text += "{" + object + "}\n";
  }
  return text;
}

TEST_F(RowsOfLists, EveryTypeFromEveryTable) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const std::size_t count = std::vector<std::size_t>{1, 64, 1'000, 2'500}[seed];
    make_lists(count);
    const index::Schema single = schema(false);
    const auto values = this->values(single, count, seed);
    for (const bool ciff : {false, true}) {
      expect_joined(single, directory_.write("r.csv", table_of(single, values, ',')), ciff, values);
      expect_joined(single,
                    directory_.write("r.tsv.gz", test::gzip(table_of(single, values, '\t'))), ciff,
                    values);
    }
    const index::Schema several = schema(true);
    const auto more = this->values(several, count, seed);
    for (const bool ciff : {false, true}) {
      expect_joined(several, directory_.write("r.jsonl.zst", test::zstd(json_of(several, more))),
                    ciff, more);
    }
  }
}

TEST_F(RowsOfLists, DamagedTablesAreErrorsAndLeaveNothing) {
  const index::Schema schema = test::schema_of({"n:u8", "k:keyword"});
  const auto values = test::random_values(schema, 200, {{1, 200, 1}}, 3);
  make_lists(values.size());
  const std::string table = table_of(schema, values, ',');
  std::mt19937_64 random(5);
  int refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string damaged = table;
    const std::size_t at = random() % damaged.size();
    if (i % 3 == 0) {
      damaged.resize(at);
    } else {
      damaged[at] = static_cast<char>(random());
    }
    const auto file = directory_.write("r.csv", i % 2 == 0 ? damaged : test::gzip(damaged));
    index::BuildOptions build;
    build.write.schema = schema;
    try {
      const auto rows = open_rows({file}, {.schema = schema});
      build.rows = rows.get();
      index::build_inverted(*lists(false), directory_ / "joined", build);
      EXPECT_THAT(index::verify_index(directory_ / "joined").problems, IsEmpty());
      std::filesystem::remove_all(directory_ / "joined");
    } catch (const InputError&) {
      ++refused;
      EXPECT_FALSE(std::filesystem::exists(directory_ / "joined"));
    }
  }
  EXPECT_GT(refused, 150);  // of the other ones, some keyword was changed
}

TEST_F(RowsOfLists, TruncatedArchivesAreErrors) {
  const index::Schema schema = test::schema_of({"n:u8", "k:keyword"});
  const auto values = test::random_values(schema, 2'000, {{1, 200, 1}}, 3);
  const std::string whole = test::gzip(table_of(schema, values, ','));
  make_lists(values.size());
  for (const std::size_t size : {std::size_t{20}, whole.size() / 2, whole.size() - 1}) {
    const auto rows =
        open_rows({directory_.write("r.csv.gz", whole.substr(0, size))}, {.schema = schema});
    index::BuildOptions build;
    build.write.schema = schema;
    build.rows = rows.get();
    EXPECT_THROW(index::build_inverted(*lists(false), directory_ / "joined", build), Error) << size;
    EXPECT_FALSE(std::filesystem::exists(directory_ / "joined"));
  }
}

}  // namespace
}  // namespace gannet
