// gannet reorder, and gannet index --order, as a user types them.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tests/support/compression.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ReorderCommand : public ::testing::Test {
 protected:
  ReorderCommand() {
    std::string lines;
    for (int i = 0; i < 40; ++i) {
      lines += "{\"id\": \"http://" + std::string(i % 2 == 0 ? "a" : "b") + ".org/" +
               std::to_string(i * 7 % 40) + "\", \"year\": " + std::to_string(2000 + i * 11 % 17) +
               ", \"contents\": \"" + (i % 3 == 0 ? "red fox" : "blue whale") + " number" +
               std::to_string(i) + "\"}\n";
    }
    write_file(input_, lines);
    const Output made = build(index_, {});
    EXPECT_EQ(made.code, 0) << made.err;
  }

  Output build(const std::string& output, const std::vector<std::string>& more) const {
    std::vector<std::string> words{"index",   "--input",  input_,    "--format", "jsonl",
                                   "--field", "year:i32", "--store", "--output", output};
    words.insert(words.end(), more.begin(), more.end());
    return gannet(words);
  }

  /// All documents as a search finds them, sorted: equal up to the order of ties.
  std::vector<std::string> hits(const std::string& index) const {
    const std::string found = gannet({"search", "--index", index, "--k", "100", "--fields", "year",
                                      "--json", "red whale"})
                                  .out;
    std::vector<std::string> hits;
    for (int i = 0; i < 40; ++i) {
      const std::string hit = "/hits/" + std::to_string(i);
      hits.push_back(json_at(found, hit + "/id") + " " + json_at(found, hit + "/score") + " " +
                     json_at(found, hit + "/fields/year"));
    }
    std::ranges::sort(hits);
    return hits;
  }

  TemporaryDirectory folder_;
  std::string input_ = folder_ / "docs.jsonl";
  std::string index_ = folder_ / "idx";
};

TEST_F(ReorderCommand, KeepsAnswersInEveryOrder) {
  const auto before = hits(index_);
  ASSERT_EQ(before.size(), 40u);
  for (const char* order : {"url", "bisection", "random:7", "field:year:desc", "id"}) {
    SCOPED_TRACE(order);
    const Output done = gannet({"reorder", index_, "--order", order});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_THAT(done.out, HasSubstr("of 40 documents have other numbers"));
    EXPECT_EQ(hits(index_), before);
    EXPECT_EQ(gannet({"verify", index_}).code, 0);
  }
  EXPECT_THAT(gannet({"reorder", index_, "--order", "id"}).out,
              HasSubstr("its 40 documents are in this order"));
}

TEST_F(ReorderCommand, WritesElsewhereAndSaysWhatItDidAsJson) {
  const auto before = snapshot(index_);
  const std::string output = folder_ / "out";
  const std::vector<std::string> command{"reorder",  index_, "--order", "field:year",
                                         "--output", output, "--json"};
  const std::string report = gannet(command).out;
  EXPECT_EQ(json_at(report, "/index"), '"' + output + '"');
  EXPECT_EQ(json_at(report, "/order"), "\"field:year\"");
  EXPECT_EQ(json_at(report, "/documents"), "40");
  EXPECT_EQ(json_at(report, "/segments_before"), "1");
  EXPECT_EQ(json_at(report, "/written"), "true");
  EXPECT_EQ(snapshot(index_), before);
  EXPECT_EQ(gannet(command).code, 2) << "it is there";
  EXPECT_EQ(gannet({"reorder", index_, "--order", "id", "--output", output, "--overwrite"}).code,
            0);
  EXPECT_THAT(hits(output), hits(index_));
}

TEST_F(ReorderCommand, TakesAFileOfIds) {
  std::string ids;
  for (int i = 39; i >= 0; --i) {
    ids += "http://" + std::string(i % 2 == 0 ? "a" : "b") + ".org/" + std::to_string(i * 7 % 40) +
           (i % 5 == 0 ? "\r\n" : "\n");
  }
  ids.pop_back();  // the last line has no end
  const std::string file = folder_ / "ids.txt.gz";
  write_file(file, gzip(ids));
  ASSERT_EQ(gannet({"reorder", index_, "--order", "file:" + file}).code, 0);
  const std::string found =
      gannet({"search", "--index", index_, "--k", "1", "--filter", "year:*", "--json"}).out;
  EXPECT_EQ(json_at(found, "/hits/0/id"), "\"http://b.org/33\"");
  write_file(file, "http://a.org/0\n");
  const Output wrong = gannet({"reorder", index_, "--order", "file:" + file});
  EXPECT_EQ(wrong.code, 3);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr(file), HasSubstr("39 of 40 documents are not listed")));
  EXPECT_EQ(gannet({"reorder", index_, "--order", "file:" + (folder_ / "none").string()}).code, 4);
}

TEST_F(ReorderCommand, RefusesWhatItCannotDo) {
  const Output wrong = gannet({"reorder", index_, "--order", "yaer"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, AllOf(HasSubstr("--order: order 'yaer'"), HasSubstr("bisection")));
  EXPECT_EQ(gannet({"reorder", index_}).code, 2);
  EXPECT_EQ(gannet({"reorder", index_, "--order", "id", "--memory", "1M"}).code, 2);
  EXPECT_EQ(gannet({"reorder", folder_ / "no", "--order", "id"}).code, 4);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "no"));
  EXPECT_THAT(gannet({"help", "reorder"}).out,
              AllOf(HasSubstr("gannet reorder IDX"), HasSubstr("field:NAME")));
}

/// An index that is replaced stays until the new one is complete, order and all.
TEST_F(ReorderCommand, IndexKeepsWhatIsThereUntilTheOrderIsFound) {
  const std::string manifest = read_file(index_ + "/manifest.json");
  const auto names = names_in(folder_.path());
  const std::string ids = folder_.path().parent_path() / "no-such-file";
  const Output failed = build(index_, {"--overwrite", "--order", "file:" + ids});
  EXPECT_EQ(failed.code, 4) << failed.err;
  const Output unknown = build(folder_ / "a/b/", {"--order", "field:yaer"});
  EXPECT_EQ(unknown.code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("--order: there is no field 'yaer'"));
  EXPECT_EQ(build(folder_ / "a/b/", {"--order", "file:" + ids}).code, 4);
  EXPECT_EQ(build(index_, {"--order", "id"}).code, 2);
  EXPECT_EQ(read_file(index_ + "/manifest.json"), manifest);
  EXPECT_EQ(names_in(folder_.path()), names);

  ASSERT_EQ(build(index_, {"--overwrite", "--order", "id"}).code, 0);
  ASSERT_EQ(build(folder_ / "a/b/", {"--order", "id"}).code, 0);
  EXPECT_EQ(hits(folder_ / "a/b"), hits(index_));
  EXPECT_EQ(names_in(folder_ / "a"), std::set<std::string>{"b"});
}

TEST_F(ReorderCommand, IndexReordersWhatItBuilt) {
  gannet({"reorder", index_, "--order", "bisection"});
  const std::string other = folder_ / "other";
  const Output built = build(other, {"--order", "bisection"});
  ASSERT_EQ(built.code, 0) << built.err;
  EXPECT_THAT(built.out, HasSubstr("of 40 documents have other numbers"));
  EXPECT_EQ(hits(other), hits(index_));
  for (const char* kind : {"documents", "lexicon", "postings", "text", "fields"}) {
    EXPECT_EQ(read_file(other + "/segment-00000001." + kind),
              read_file(index_ + "/segment-00000002." + kind))
        << kind;
  }
  // What is wrong is said before anything is built.
  EXPECT_EQ(build(folder_ / "none", {"--order", "yaer"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none"));
  const std::string json = build(folder_ / "third", {"--order", "random", "--json"}).out;
  EXPECT_EQ(json_at(json, "/documents"), "40");
  EXPECT_EQ(json_at(json, "/order/name"), "\"random\"");
}

}  // namespace
}  // namespace gannet::test
