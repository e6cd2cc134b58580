// Tables joined by row: which records count, and what is wrong with them.
#include "corpora/documents/rows.hpp"

#include <gmock/gmock.h>

#include "codecs/base/error.hpp"
#include "tests/support/compression.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/index/field_data.hpp"
#include "tests/support/temporary_directory.hpp"

namespace gannet {
namespace {

using corpora::Malformed;
using corpora::open_rows;
using test::message_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Rows : public ::testing::Test {
 protected:
  /// `field=value field=value` for each record.
  std::vector<std::string> read(const std::vector<std::filesystem::path>& files) {
    const auto source = open_rows(files, options_);
    std::vector<std::string> rows;
    skipped_ = 0;
    while (auto raw = source->read()) {
      const auto batch = source->parse(std::move(raw));
      for (std::size_t i = 0; i < batch->size(); ++i) {
        std::string row;
        for (const index::FieldText& value : (*batch)[i].values) {
          row += (row.empty() ? "" : " ") + options_.schema.fields()[value.field].name + "=" +
                 std::string(value.text);
        }
        rows.push_back(row);
      }
      skipped_ += batch->skipped;
    }
    return rows;
  }
  std::vector<std::string> read(std::string_view name, std::string_view text) {
    return read({directory_.write(name, text)});
  }
  std::string refused(std::string_view name, std::string_view text) {
    return message_of<InputError>([&] { read(name, text); });
  }

  test::TemporaryDirectory directory_;
  corpora::ReaderOptions options_{.schema = test::schema_of({"a:i32", "b:keyword:path=x"})};
  std::uint64_t skipped_ = 0;
};

TEST_F(Rows, EveryKindOfTableIsTheSame) {
  const auto rows = ElementsAre("a=1 b=p", "", "a=3", "b=q");
  EXPECT_THAT(read("r.csv", "a,more,x\n1,?,p\n,,\n3,\"?\n\",\n,?,\"q\"\n"), rows);
  EXPECT_THAT(read("r.tsv", "more\ta\tx\r\n?\t1\tp\r\n\t\t\r\n?\t3\t\r\n?\t\tq"), rows);
  EXPECT_THAT(read("r.jsonl", R"({"a": 1, "more": {"a": 9}, "x": "p"}
{}

{"x": null, "a": 3}
{"id": [], "contents": {}, "x": "q"})"),
              rows);
  EXPECT_THAT(read("list.jsonl", R"([{"a": 1, "x": ["p"]}, {}, {"a": 3}, {"x": "q"}])"), rows);
}

TEST_F(Rows, IdsAndTextsMayBeFields) {
  options_.schema = test::schema_of({"n:i32:path=id", "t:keyword:path=contents"});
  EXPECT_THAT(read("r.jsonl", R"({"id": 7, "contents": "p"})"), ElementsAre("n=7 t=p"));
  EXPECT_THAT(read("r.csv", "id,contents\n7,p\n,\n"), ElementsAre("n=7 t=p", ""));
  EXPECT_THAT(refused("r.jsonl", R"({"id": "seven"})"), HasSubstr("field 'n': 'seven'"));
}

TEST_F(Rows, EmptyLinesAreRecordsOfTablesWithOneColumn) {
  options_.schema = test::schema_of({"a:i32"});
  EXPECT_THAT(read("r.csv", "a\n1\n\n3\n\n"), ElementsAre("a=1", "", "a=3", ""));
  EXPECT_THAT(read("r.tsv", "a\r\n1\r\n\r\n3\r\n"), ElementsAre("a=1", "", "a=3"));
  EXPECT_THAT(read("r.csv", "\n \na\n\"\"\n2"), ElementsAre("", "a=2"));
  EXPECT_THAT(read("two.csv", "a,b\n1,\n\n3,\n\n"), ElementsAre("a=1", "a=3"));
  EXPECT_THAT(read("two.tsv", "a\tb\n1\t\n\n3\t\n\n"), ElementsAre("a=1", "a=3"));
  EXPECT_THAT(refused("two.csv", "a,b\n1,\n \n"), HasSubstr("two.csv:3: 1 value, but"));
}

TEST_F(Rows, ComeFromSeveralFilesAndCompressedOnes) {
  const auto first = directory_.write("1.csv.gz", test::gzip("a,x\n1,p\n"));
  const auto second = directory_.write("2.csv.zst", test::zstd("x,a\nq,2\n"));
  const auto third = directory_.write("3.csv", "x,a\n");
  const auto fourth = directory_.write("4.csv.bz2", test::bzip2("a,x\n4,s\n"));
  EXPECT_THAT(read({first, second, third, fourth}), ElementsAre("a=1 b=p", "a=2 b=q", "a=4 b=s"));
  EXPECT_THAT(read({second, first}), ElementsAre("a=2 b=q", "a=1 b=p"));
}

TEST_F(Rows, NamesSayWhatTablesAre) {
  for (const char* const name : {"rows", "rows.txt", "csv", "rows.gz", "rows.csv.xz"}) {
    EXPECT_THAT(message_of<UsageError>([&] { open_rows({name}, options_); }),
                AllOf(HasSubstr(name), HasSubstr("*.csv")))
        << name;
  }
  EXPECT_THAT(message_of<UsageError>([&] {
                open_rows({"a.csv", "b.tsv.gz"}, options_);
              }),
              AllOf(HasSubstr("b.tsv.gz"), HasSubstr("same kind as a.csv")));
  EXPECT_THROW(open_rows({}, options_), UsageError);
  options_.schema = {};
  EXPECT_THROW(open_rows({"a.csv"}, options_), UsageError);
}

TEST_F(Rows, WhatIsNoValueStopsWithFileLineAndField) {
  EXPECT_THAT(refused("r.csv", "a,x\n1,p\n,\n1e-3,q\n"),
              AllOf(HasSubstr("r.csv:4: field 'a': '1e-3'"), HasSubstr("mend it")));
  EXPECT_THAT(refused("r.tsv", "a\tx\n9999999999\tp\n"), HasSubstr("r.tsv:2: field 'a'"));
  EXPECT_THAT(refused("r.jsonl", "{}\n{\"a\": [1, 2]}\n"), HasSubstr("r.jsonl:2: field 'a'"));
  EXPECT_THAT(refused("r.jsonl", "{}\n{\"a\": {}}\n"), HasSubstr("r.jsonl:2: 'a' is an object"));
  EXPECT_THAT(refused("r.jsonl", "{}\n{\"a\": 1\n"), HasSubstr("r.jsonl:2: not a valid JSON"));
  EXPECT_THAT(refused("r.csv", "a,x\n1\n"), HasSubstr("r.csv:2: 1 value, but"));
  EXPECT_THAT(refused("r.csv", "a,x\n1,\"p\n2,q\n"), HasSubstr("r.csv:2: a quoted value"));
  EXPECT_THAT(refused("r.csv", "a,y\n1,p\n"), HasSubstr("no column 'x'"));
}

TEST_F(Rows, WhatIsNoValueIsLeftOutAndTheRecordStays) {
  options_.malformed = Malformed::kSkip;
  EXPECT_THAT(read("r.csv", "a,x\none,p\n2,q\n3\n4,\"r\"s\n5,t\n"),
              ElementsAre("b=p", "a=2 b=q", "", "", "a=5 b=t"));
  EXPECT_EQ(skipped_, 3u);
  EXPECT_THAT(read("r.jsonl", "{\"a\": [1, 2], \"x\": \"p\"}\n[\n{\"a\": 2.5}\n{\"a\": 4}\n"),
              ElementsAre("b=p", "", "", "a=4"));
  EXPECT_EQ(skipped_, 4u);
  options_.schema = test::schema_of({"a:i8:multi"});
  EXPECT_THAT(read("r.jsonl", "{\"a\": [1, 200, \"x\", 3]}\n"), ElementsAre("a=1 a=3"));
  EXPECT_EQ(skipped_, 2u);
}

TEST_F(Rows, WhatIsLeftOutIsTold) {
  options_.malformed = Malformed::kSkip;
  std::vector<std::string> told;
  options_.on_skipped = [&](std::string_view problem) { told.emplace_back(problem); };
  read("r.csv", "a,x\none,p\n2,q\n3\n");
  EXPECT_THAT(told,
              ElementsAre(HasSubstr("r.csv:2: field 'a': 'one'"), HasSubstr("r.csv:4: 1 val")));
  told.clear();
  read("r.jsonl", "{\"a\": [1, 2], \"x\": \"p\"}\n");
  EXPECT_THAT(told, ::testing::Each(HasSubstr("r.jsonl:1: field 'a' has several values")));
  EXPECT_EQ(told.size(), skipped_);
}

TEST_F(Rows, AColumnThatIsWantedIsThereOnce) {
  EXPECT_THAT(message_of<InputError>([&] { read("r.csv", "a,x,a\n1,p,2\n"); }),
              ::testing::HasSubstr("several columns 'a'"));
  EXPECT_THAT(read("more.csv", "a,more,x,more\n1,?,p,?\n"), ::testing::SizeIs(1)) << "nobody asks";
}

TEST_F(Rows, AreWholeWhateverTheCuts) {
  std::string text = "a,x\n";
  std::vector<std::string> expected;
  for (int i = 0; i < 60'000; ++i) {  // several batches
    const bool quoted = i % 20'000 > 15'000;
    const std::string key = std::to_string(i % 7);
    text += std::to_string(i) + (quoted ? ",\"k\n\"\"" + key + "\"\n" : ",k" + key + "\n");
    expected.push_back("a=" + std::to_string(i) + " b=k" + (quoted ? "\n\"" : "") + key);
  }
  EXPECT_EQ(read("r.csv", text), expected);
  text.insert(text.size() - 1, ",too many");
  EXPECT_THAT(refused("r.csv", text), HasSubstr("3 values"));
}

}  // namespace
}  // namespace gannet
