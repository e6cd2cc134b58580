// Numbers on the command line and in the files it reads.
#include <gmock/gmock.h>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;

TEST(Numbers, WhatIsNoDecimalNumberIsAUsageError) {
  const TemporaryDirectory folder;
  const std::string index = index_animals(folder);
  for (const std::string wrong : {"nan", "inf", "-inf", "0x1p3", "1e", " 1", "", "1e99"}) {
    const Output done = gannet({"search", "--index", index, "--scorer-params=k1=" + wrong, "cat"});
    EXPECT_EQ(done.code, 2) << "'" << wrong << "' " << done.err;
    EXPECT_TRUE(is_one_line(done.err)) << done.err;
    EXPECT_THAT(done.err, HasSubstr("k1")) << done.err;
  }
  for (const std::string wrong : {"-1", "nan", "0x10", "4294967296", "1.5", "2 "}) {
    const Output done = gannet({"search", "--index", index, "--threads=" + wrong, "cat"});
    EXPECT_EQ(done.code, 2) << "'" << wrong << "' " << done.err;
    EXPECT_THAT(done.err, HasSubstr("threads"));
  }
  EXPECT_EQ(
      gannet({"search", "--index", index, "--scorer-params", "k1=1.2", "--threads", "2", "cat"})
          .code,
      0);
}

TEST(Numbers, ScoresOfARunHaveAnOrder) {
  const TemporaryDirectory folder;
  write_file(folder / "qrels", "1 0 a 1\n1 0 b 0\n");
  for (const std::string wrong : {"nan", "-nan", "many"}) {
    write_file(folder / "run", "1 Q0 a 1 2.5 t\n1 Q0 b 2 " + wrong + " t\n");
    const Output done = gannet({"eval", "--qrels", folder / "qrels", "--run", folder / "run"});
    EXPECT_EQ(done.code, 3) << wrong << done.out;
    EXPECT_THAT(done.err, HasSubstr("run:2: the score is no number"));
  }
}

TEST(Numbers, JsonHasFloatsAsTheyWereGiven) {
  const TemporaryDirectory folder;
  write_file(folder / "docs", "a\tcat\n");
  ASSERT_EQ(gannet({"index", "--input", folder / "docs", "--format", "tsv", "--output",
                    folder / "idx", "--k1", "1.2", "--b", "0.75", "--quiet"})
                .code,
            0);
  const Output found = gannet({"inspect", folder / "idx", "--json"});
  EXPECT_EQ(json_at(found.out, "/bm25/k1"), "1.2");
  EXPECT_EQ(json_at(found.out, "/bm25/b"), "0.75");
}

TEST(Generate, LeavesTheFoldersOfOthersAlone) {
  const TemporaryDirectory folder;
  std::filesystem::create_directory(folder / "lists.building");
  write_file(folder / "lists.building/mine", "precious");
  write_file(folder / "docs.jsonl.part", "precious");
  ASSERT_EQ(gannet({"generate", "--documents", "50", "--format", "ds2i", "--output",
                    folder / "lists", "--quiet"})
                .code,
            0);
  ASSERT_EQ(
      gannet({"generate", "--documents", "50", "--output", folder / "docs.jsonl", "--quiet"}).code,
      0);
  EXPECT_EQ(read_file(folder / "lists.building/mine"), "precious");
  EXPECT_EQ(read_file(folder / "docs.jsonl.part"), "precious");
  EXPECT_TRUE(std::filesystem::exists(folder / "lists.docs"));
  const Output made = gannet({"generate", "--documents", "50", "--output", "-"});
  EXPECT_EQ(made.out, read_file(folder / "docs.jsonl"));
}

}  // namespace
}  // namespace gannet::test
