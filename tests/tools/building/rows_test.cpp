// gannet index --rows, as a user types it.
#include <gmock/gmock.h>

#include <cstring>

#include "tests/support/compression.hpp"
#include "tests/support/files.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string words(const std::vector<std::uint32_t>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof values[0]};
}

class RowsOption : public ::testing::Test {
 protected:
  RowsOption() {
    // Four documents; list 0 has the documents 0, 2 and 3, list 1 has document 1.
    write_file(lists_ + ".docs", words({1, 4, 3, 0, 2, 3, 1, 1}));
    write_file(lists_ + ".freqs", words({3, 1, 1, 1, 1, 1}));
    write_file(lists_ + ".sizes", words({4, 1, 1, 1, 1}));
    write_file(table_, "tag,date,other\nsea,1851-10-18,x\n,,\nbug,1915-11-01,\nsea,2001-01-01,y\n");
  }
  Output index(std::vector<std::string> more, const std::string& format = "ds2i",
               const std::string& input = "") {
    more.insert(more.begin(), {"index", "--input", input.empty() ? lists_ : input, "--format",
                               format, "--output", index_, "--overwrite"});
    return gannet(std::move(more));
  }
  std::string count(const std::string& query, const std::string& filter) {
    return gannet({"search", "--index", index_, "--count", query, "--filter", filter}).out;
  }

  TemporaryDirectory folder_;
  std::string index_ = folder_ / "idx";
  std::string lists_ = folder_ / "z";
  std::string table_ = folder_ / "rows.csv";
  const std::vector<std::string> fields_{"--field", "tag:keyword", "--field", "date:date"};
  std::vector<std::string> with(std::vector<std::string> more) const {
    more.insert(more.end(), fields_.begin(), fields_.end());
    return more;
  }
};

TEST_F(RowsOption, GivesPostingListsFields) {
  const Output made = index(with({"--rows", table_}));
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(made.err, "");
  EXPECT_EQ(count("0", "tag:sea"), "2\n");
  EXPECT_EQ(count("0", "date:<1900-01-01"), "1\n");
  EXPECT_EQ(count("1", "tag:sea"), "0\n");
  EXPECT_THAT(gannet({"verify", index_}).out, HasSubstr("6 values of fields"));
  EXPECT_THAT(gannet({"help", "index"}).out, HasSubstr("--rows"));
}

TEST_F(RowsOption, TakesCompressedTablesAndSeveral) {
  write_file(folder_ / "1.csv.gz", gzip("tag,date\nsea,1851-10-18\n,\n"));
  write_file(folder_ / "2.csv.gz", gzip("date,tag\n1915-11-01,bug\n2001-01-01,sea\n"));
  const Output made = index(with({"--rows", folder_ / "1.csv.gz", folder_ / "2.csv.gz"}));
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(count("0", "tag:sea"), "2\n");
  EXPECT_EQ(count("0", "date:2001-01-01"), "1\n");
}

TEST_F(RowsOption, GivesFieldsToWhatWasExportedAsCiff) {
  ASSERT_EQ(index({}).code, 0);
  const std::string file = folder_ / "z.ciff";
  ASSERT_EQ(gannet({"export", "--index", index_, "--format", "ciff", "--output", file}).code, 0);
  ASSERT_EQ(index(with({"--rows", table_}), "ciff", file).code, 0);
  EXPECT_EQ(count("0", "tag:sea"), "2\n");
}

TEST_F(RowsOption, GivesDocumentsFields) {
  write_file(folder_ / "a.trec",
             "<DOC><DOCNO>1</DOCNO>whale</DOC>\n<DOC><DOCNO>2</DOCNO>whale</DOC>\n"
             "<DOC><DOCNO>3</DOCNO>bug</DOC>\n<DOC><DOCNO>4</DOCNO>whale</DOC>\n");
  const Output made = index(with({"--rows", table_}), "trectext", folder_ / "a.trec");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(count("whale", "tag:sea"), "2\n");
  write_file(folder_ / "v.jsonl", R"({"id": 1, "vector": {"whale": 2}}
{"id": 2, "vector": {}}
{"id": 3, "vector": {"bug": 2}}
{"id": 4, "vector": {"whale": 1.5}}
)");
  ASSERT_EQ(index(with({"--rows", table_}), "json-vectors", folder_ / "v.jsonl").code, 0);
  EXPECT_EQ(count("whale", "tag:sea"), "2\n");
  std::filesystem::create_directory(folder_ / "dir");
  for (const char* const name : {"1.txt", "2.txt", "3.html", "4.md", "0.png"}) {
    write_file(folder_ / "dir" / name, "whale");
  }
  const Output folder = index(with({"--rows", table_}), "dir", folder_ / "dir");
  ASSERT_EQ(folder.code, 0) << folder.err;
  EXPECT_EQ(count("whale", "tag:bug"), "1\n");
  EXPECT_EQ(gannet({"search", "--index", index_, "--docids", "--filter", "tag:bug", "whale"}).out,
            "3.html\n");
}

TEST_F(RowsOption, OfDocumentsWithMembersOfTheSameNameIsTheOneThatCounts) {
  write_file(folder_ / "a.jsonl", R"({"id": 1, "contents": "whale", "tag": "no"}
{"id": 2, "contents": "whale", "date": "no date"}
{"id": 3, "contents": "whale"}
{"id": 4, "contents": "whale"}
)");
  const Output made = index(with({"--rows", table_}), "jsonl", folder_ / "a.jsonl");
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(count("whale", "tag:sea"), "2\n");
  EXPECT_EQ(count("whale", "tag:no"), "0\n");
}

TEST_F(RowsOption, OfAnotherNumberIsRefused) {
  write_file(table_, "tag,date\nsea,\n,\nbug,\n");
  const Output few = index(with({"--rows", table_}));
  EXPECT_EQ(few.code, 3);
  EXPECT_TRUE(is_one_line(few.err)) << few.err;
  EXPECT_THAT(few.err, HasSubstr("3 rows for 4 documents"));
  write_file(table_, "tag,date\n,\n,\n,\n,\n,\n");
  EXPECT_THAT(index(with({"--rows", table_})).err, HasSubstr("5 rows for 4 documents"));
  EXPECT_FALSE(std::filesystem::exists(index_));
}

TEST_F(RowsOption, WithWhatIsNoValueStopsOrLeavesItOut) {
  write_file(table_, "tag,date\nsea,1851-10-18\n,\nbug,1915-13-01\nsea,2001-01-01\n");
  const Output stopped = index(with({"--rows", table_}));
  EXPECT_EQ(stopped.code, 3);
  EXPECT_TRUE(is_one_line(stopped.err)) << stopped.err;
  EXPECT_THAT(stopped.err,
              AllOf(HasSubstr("rows.csv:4: field 'date': '1915-13-01'"), HasSubstr("--on-error")));
  const Output skipped = index(with({"--rows", table_, "--on-error", "skip"}));
  EXPECT_EQ(skipped.code, 0) << skipped.err;
  EXPECT_EQ(skipped.err, "gannet index: 1 malformed record or value skipped\n");
  EXPECT_EQ(count("0", "tag:bug"), "1\n");
  EXPECT_EQ(count("0", "date:>1900-01-01"), "1\n");
}

TEST_F(RowsOption, WrongUseIsTold) {
  const Output bare = index({"--rows", table_});
  EXPECT_EQ(bare.code, 2);
  EXPECT_THAT(bare.err, HasSubstr("--field NAME:TYPE"));
  EXPECT_THAT(index(fields_).err, HasSubstr("--rows"));
  const Output shifted =
      index(with({"--rows", table_, "--on-error", "skip"}), "jsonl", folder_ / "a.jsonl");
  EXPECT_EQ(shifted.code, 2);
  EXPECT_THAT(shifted.err, HasSubstr("--on-error skip"));
  EXPECT_EQ(index(with({"--rows", folder_ / "rows"})).code, 2);
  const Output missing = index(with({"--rows", folder_ / "none.csv"}));
  EXPECT_EQ(missing.code, 4);
  EXPECT_THAT(missing.err, HasSubstr("none.csv"));
  const Output column = index({"--rows", table_, "--field", "day:date"});
  EXPECT_EQ(column.code, 3);
  EXPECT_THAT(column.err, AllOf(HasSubstr("rows.csv"), HasSubstr("no column 'day'")));
}

std::vector<std::uint32_t> words_in(const std::filesystem::path& file) {
  const std::string bytes = read_zstd(file);
  std::vector<std::uint32_t> values(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof values[0]);
  return values;
}

TEST_F(RowsOption, RealListsAndRealColumns) {
  const std::filesystem::path data = data_folder();
  const std::filesystem::path lists = data / "ints/census-income.docs.zst";
  const std::vector<std::string> names{"00", "02", "03", "11"};
  if (data.empty() || !std::filesystem::exists(lists)) {
    GTEST_SKIP() << "no real lists and columns: set GANNET_DATA";
  }
  std::vector<std::vector<std::uint32_t>> columns;
  for (const std::string& name : names) {
    columns.push_back(words_in(data / ("columns/Bimbo_1.c" + name + ".i32.zst")));
  }
  const auto rows = static_cast<std::uint32_t>(columns[0].size());
  std::string table = "agency,depot,product,sold\n";
  for (std::uint32_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      table += std::to_string(static_cast<std::int32_t>(columns[c][row])) +
               (c + 1 < columns.size() ? ',' : '\n');
    }
  }
  write_file(folder_ / "real.csv.gz", gzip(table));

  // The lists as far as there are rows.
  const std::vector<std::uint32_t> sets = words_in(lists);
  std::vector<std::uint32_t> docs{1, rows}, freqs, sizes(rows + 1, 1);
  std::vector<std::vector<std::uint32_t>> kept;
  sizes[0] = rows;
  for (std::size_t at = 2; at < sets.size(); at += 1 + sets[at]) {
    auto& list = kept.emplace_back();
    for (std::size_t i = at + 1; i <= at + sets[at]; ++i) {
      if (sets[i] < rows) list.push_back(sets[i]);
    }
    docs.push_back(static_cast<std::uint32_t>(list.size()));
    freqs.push_back(docs.back());
    docs.insert(docs.end(), list.begin(), list.end());
    freqs.insert(freqs.end(), list.size(), 1);
  }
  write_file(lists_ + ".docs", words(docs));
  write_file(lists_ + ".freqs", words(freqs));
  write_file(lists_ + ".sizes", words(sizes));

  const Output made =
      index({"--rows", folder_ / "real.csv.gz", "--field", "agency:i32", "--field",
             "depot:keyword:path=depot", "--field", "product:i32", "--field", "sold:i32:gpu-for"});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_EQ(gannet({"verify", index_}).code, 0);
  for (const std::size_t list : {std::size_t{0}, kept.size() / 2, kept.size() - 1}) {
    const std::uint32_t least = columns[2][rows / 2];
    const std::uint32_t depot = columns[1][rows / 3];
    std::size_t at_least = 0, of_depot = 0;
    for (const std::uint32_t docid : kept[list]) {
      at_least += static_cast<std::int32_t>(columns[2][docid]) >= static_cast<std::int32_t>(least);
      of_depot += columns[1][docid] == depot;
    }
    const std::string term = std::to_string(list);
    EXPECT_EQ(count(term, "product:>=" + std::to_string(least)), std::to_string(at_least) + "\n");
    EXPECT_EQ(count(term, "depot:" + std::to_string(depot)), std::to_string(of_depot) + "\n");
  }
}

}  // namespace
}  // namespace gannet::test
