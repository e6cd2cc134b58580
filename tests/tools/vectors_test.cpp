// An index of impacts from JSON vectors, from the command line to the hits.
#include <gmock/gmock.h>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;

class VectorIndex : public testing::Test {
 protected:
  Output build(const std::string& lines, std::vector<std::string> more = {}) {
    write_file(folder_ / "docs.jsonl", lines);
    more.insert(more.begin(), {"index", "--input", folder_ / "docs.jsonl", "--format",
                               "json-vectors", "--output", index_, "--overwrite", "--quiet"});
    return gannet(more);
  }
  Output search(std::vector<std::string> more) const {
    more.insert(more.begin(), {"search", "--index", index_, "--backend", "cpu"});
    return gannet(more);
  }

  TemporaryDirectory folder_;
  std::string index_ = folder_ / "idx";
};

constexpr const char* kFloats =
    "{\"id\":\"d1\",\"vector\":{\"solar\":1.5,\"##ity\":0.001,\"New York\":2.0,\"ﬁ\":1}}\n"
    "{\"id\":\"d2\",\"vector\":{\"solar\":3.0,\"Solar\":0.6}}\n"
    "{\"id\":\"d3\",\"vector\":{}}\n";

TEST_F(VectorIndex, ScoresAreSumsOfImpacts) {
  ASSERT_EQ(build(kFloats).code, 0);
  const std::string shown = gannet({"inspect", index_, "--json"}).out;
  EXPECT_EQ(json_at(shown, "/payload/kind"), "\"impacts\"");
  EXPECT_EQ(json_at(shown, "/payload/bits"), "8");
  EXPECT_EQ(json_at(shown, "/payload/scale"), "85.0");
  EXPECT_EQ(gannet({"verify", "--index", index_}).code, 0);
  const Output found = search({"--json", "solar^2 ##ity^0.5"});
  EXPECT_EQ(json_at(found.out, "/scorer/name"), "\"impact\"");
  EXPECT_EQ(json_at(found.out, "/hits/0/id"), "\"d2\"");
  EXPECT_EQ(json_at(found.out, "/hits/0/score"), "510.0");
  EXPECT_EQ(json_at(found.out, "/hits/1/score"), "256.5") << "2 * 128 + 0.5 * 1";
  EXPECT_EQ(search({"--count", "ﬁ"}).out, "1\n") << "no ligature is taken apart";
  EXPECT_EQ(search({"--count", "fi"}).out, "0\n");
  EXPECT_EQ(search({"--count", "Solar"}).out, "1\n");
}

TEST_F(VectorIndex, TopicsNeedNoAnalysis) {
  ASSERT_EQ(build(kFloats).code, 0);
  write_file(folder_ / "topics.jsonl",
             "{\"id\":\"q1\",\"vector\":{\"New York\":1.25,\"solar\":0.5,\"nowhere\":3}}\n"
             "{\"id\":\"q2\",\"vector\":{}}\n");
  const Output done =
      gannet({"run", "--index", index_, "--backend", "cpu", "--topics", folder_ / "topics.jsonl",
              "--topic-format", "json", "--output", "-", "--quiet"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.out, "q1 Q0 d1 1 276.5 gannet\nq1 Q0 d2 2 127.5 gannet\n");
}

TEST_F(VectorIndex, WholeNumbersAndBitsAreHonoured) {
  ASSERT_EQ(build("{\"id\":\"a\",\"vector\":{\"x\":3,\"y\":70000}}\n").code, 0);
  EXPECT_EQ(json_at(search({"--json", "x y"}).out, "/hits/0/score"), "70003.0");
  ASSERT_EQ(build("{\"id\":\"a\",\"vector\":{\"x\":0.5,\"y\":1}}\n", {"--impact-bits", "4"}).code,
            0);
  EXPECT_EQ(json_at(search({"--json", "x^100 y"}).out, "/hits/0/score"), "815.0");
}

TEST_F(VectorIndex, MistakesAreUsageErrors) {
  EXPECT_EQ(build(kFloats, {"--impact-bits", "17"}).code, 2);
  EXPECT_THAT(build(kFloats, {"--stemmer", "english"}).err, HasSubstr("as they are"));
  EXPECT_EQ(build(kFloats, {"--store"}).code, 2);
  ASSERT_EQ(build(kFloats).code, 0);
  const Output refused = search({"--scorer", "bm25", "solar"});
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, HasSubstr("the index holds impacts"));
  EXPECT_EQ(build("{\"id\":\"a\",\"vector\":{\"x\":-3}}\n").code, 3);
}

}  // namespace
}  // namespace gannet::test
