// gannet search and run --synonyms.
#include <gmock/gmock.h>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Synonyms : public ::testing::Test {
 protected:
  void SetUp() override {
    index("words", "a red car\nan automobile, an auto\ntelevision\na bus\n");
    index("one", "a red CAR\nan CAR, an CAR\ntelevision\na bus\n");
    write_file(synonyms_, "# vehicles\ncar, auto, automobile\ntv, telly => television\n");
  }
  void index(const std::string& name, const std::string& lines) {
    std::string table;
    int id = 0;
    for (const char c : "\n" + lines.substr(0, lines.size() - 1)) {
      table += c;
      if (c == '\n') table += std::to_string(id++) + "\t";
    }
    write_file(folder_ / (name + ".tsv"), table.substr(1));
    const Output built = gannet({"index", folder_ / (name + ".tsv"), "-o", folder_ / name});
    ASSERT_EQ(built.code, 0) << built.err;
  }
  Output search(const std::string& query, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"search", folder_ / "words", "--synonyms", synonyms_});
    more.push_back(query);
    return gannet(std::move(more));
  }

  TemporaryDirectory folder_;
  std::string synonyms_ = folder_ / "synonyms.txt";
};

TEST_F(Synonyms, AreFoundAndScoredAsOneWord) {
  const Output one = gannet({"search", folder_ / "one", "--json", "red cars bus"});
  const Output found = search("red autos bus", {"--json"});
  ASSERT_EQ(found.code, 0) << found.err;
  EXPECT_EQ(json_at(found.out, "/hits"), json_at(one.out, "/hits"));
  EXPECT_EQ(search("tv", {"--docids"}).out, "2\n");
  EXPECT_EQ(search("auto", {"--count"}).out, "2\n");
  EXPECT_THAT(search("auto").err, IsEmpty());
}

TEST_F(Synonyms, AreOneTermInPlansAndExplanations) {
  EXPECT_THAT(search("car", {"--plan"}).out, HasSubstr("SYNONYM(auto automobil car)"));
  EXPECT_THAT(search("car", {"--explain", "1"}).out, HasSubstr("SYNONYM(auto automobil car)"));
  EXPECT_THAT(search("car", {"--explain", "3"}).out, HasSubstr("SYNONYM(auto automobil car)"));
}

TEST_F(Synonyms, AreMarkedInSnippets) {
  ASSERT_EQ(
      gannet({"index", folder_ / "words.tsv", "-o", folder_ / "words", "--store", "--overwrite"})
          .code,
      0);
  EXPECT_THAT(search("car", {"--snippets=1", "--highlight", "html"}).out,
              HasSubstr("<mark>automobile</mark>, an <mark>auto</mark>"));
}

TEST_F(Synonyms, OfTopicsTooWithEveryScorer) {
  write_file(folder_ / "topics.tsv", "1\tcar bus\n2\ttv auto\n3\tred\n");
  write_file(folder_ / "topics-one.tsv", "1\tcar bus\n2\ttelevision car\n3\tred\n");
  for (const std::string scorer :
       {"bm25", "bm25plus", "tfidf", "dirichlet", "jelinek-mercer", "dph", "pl2"}) {
    const auto run = [&](std::vector<std::string> more) {
      more.insert(more.begin(), {"run", "--quiet", "--overwrite", "--scorer", scorer, "--output",
                                 folder_ / "out.run"});
      const Output done = gannet(std::move(more));
      EXPECT_EQ(done.code, 0) << done.err;
      return read_file(folder_ / "out.run");
    };
    EXPECT_EQ(run({"--index", folder_ / "words", "--topics", folder_ / "topics.tsv", "--synonyms",
                   synonyms_}),
              run({"--index", folder_ / "one", "--topics", folder_ / "topics-one.tsv"}))
        << scorer;
  }
}

TEST_F(Synonyms, WhatCannotBeUsedIsNamed) {
  write_file(synonyms_, "ny, new york\ncar, auto\n");
  const Output found = search("car", {"--count"});
  EXPECT_EQ(found.code, 0);
  EXPECT_EQ(found.out, "2\n");
  EXPECT_THAT(found.err, HasSubstr("gannet search: --synonyms: " + synonyms_ +
                                   ": 1 of the entries is left out, since this index has none or "
                                   "several words for it: line 1: 'new york'"));
}

TEST_F(Synonyms, WrongFilesAreErrors) {
  write_file(synonyms_, "car, auto\na => b => c\n");
  const Output arrows = search("car");
  EXPECT_EQ(arrows.code, 2);
  EXPECT_THAT(arrows.err, HasSubstr("synonyms.txt:2: there are two arrows"));
  write_file(synonyms_, "car\nau\xFFto\n");
  EXPECT_THAT(search("car").err, HasSubstr("synonyms.txt:2: is not UTF-8"));
  std::filesystem::remove(synonyms_);
  EXPECT_EQ(search("car").code, 4);
}

/// So many that quadratic time would show, two seconds of reading.
TEST_F(Synonyms, OfAMillionLinesAreRead) {
  std::string lines;
  for (int i = 0; i < 1'000'000; ++i) lines += "w" + std::to_string(i) + ", car\n";
  write_file(synonyms_, lines + "bus, red\n");
  EXPECT_EQ(search("bus", {"--count"}).out, "2\n");
}

}  // namespace
}  // namespace gannet::test
