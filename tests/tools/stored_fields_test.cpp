// Stored fields, as a user types them: index, inspect, search, run, verify.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class StoredFields : public ::testing::Test {
 protected:
  void SetUp() override {
    write_file(folder_ / "docs.jsonl",
               "{\"id\":\"a\",\"contents\":\"tiger lamp\",\"meta\":{\"note\":\"Of a tiger: the big "
               "one\\tsleeps. It has a lamp, and nothing else was seen of it.\"}}\n"
               "{\"id\":\"b\",\"contents\":\"tiger\",\"meta\":{\"note\":\"\"},\"raw\":12.50}\n"
               "{\"id\":\"c\",\"contents\":\"tiger tiger tiger\"}\n");
    const Output made = gannet({"index", "--input", folder_ / "docs.jsonl", "--format", "jsonl",
                                "--output", index_, "--quiet", "--field",
                                "note:stored:deflate:path=meta.note", "--field", "raw:stored"});
    ASSERT_EQ(made.code, 0) << made.err;
  }
  Output search(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"search", "--index", index_, "--backend", "cpu"});
    return gannet(std::move(arguments));
  }

  TemporaryDirectory folder_;
  std::string index_ = folder_ / "idx";
};

TEST_F(StoredFields, AreShownWithHits) {
  const std::string json = search({"--json", "--fields", "note,raw", "tiger"}).out;
  EXPECT_EQ(json_at(json, "/hits/0/fields"), "{\"note\":null,\"raw\":null}");
  EXPECT_EQ(json_at(json, "/hits/1/fields"), "{\"note\":\"\",\"raw\":\"12.50\"}");
  EXPECT_THAT(json_at(json, "/hits/2/fields/note"), HasSubstr("Of a tiger: the big one\\tsleeps"));
  EXPECT_THAT(search({"--fields", "note", "lamp"}).out, HasSubstr("note: Of a tiger: the big one"));
  EXPECT_EQ(search({"--count", "--filter", "note:*", "tiger"}).out, "2\n");
}

TEST_F(StoredFields, HaveSnippets) {
  const Output found = search({"--snippet-field", "note", "--highlight", "text", "tiger lamp"});
  EXPECT_EQ(found.code, 0) << found.err;
  EXPECT_THAT(found.out, HasSubstr("Of a *tiger*: the big one"));
  const std::string json = search({"--json", "--snippets=1", "--snippet-field", "note",
                                   "--snippet-length", "30", "lamp"})
                               .out;
  EXPECT_THAT(json_at(json, "/hits/0/snippet/fragments/0/text"), HasSubstr("has a lamp"));
  const auto error = [&](std::vector<std::string> arguments) {
    arguments.push_back("tiger");
    const Output wrong = search(std::move(arguments));
    EXPECT_EQ(wrong.code, 2);
    EXPECT_TRUE(is_one_line(wrong.err)) << wrong.err;
    return wrong.err;
  };
  EXPECT_THAT(error({"--snippet-field", "nota"}), HasSubstr("no field is called 'nota'"));
  EXPECT_THAT(error({"--snippets=2"}), HasSubstr("--snippet-field"));
  EXPECT_THAT(error({"--sort", "note"}), HasSubstr("field 'note' is only stored"));
}

TEST_F(StoredFields, AreInRunsResults) {
  write_file(folder_ / "topics.tsv", "1\tlamp\n");
  const Output done = gannet({"run", "--index", index_, "--topics", folder_ / "topics.tsv",
                              "--results", "-", "--fields", "note", "--quiet"});
  ASSERT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(json_at(done.out, "/hits/0/fields/note"), HasSubstr("Of a tiger"));
}

TEST_F(StoredFields, AreInspectedAndVerified) {
  const std::string json = gannet({"inspect", index_, "--json"}).out;
  EXPECT_EQ(json_at(json, "/fields/0/type"), "\"stored\"");
  EXPECT_EQ(json_at(json, "/fields/0/documents"), "2");
  EXPECT_EQ(json_at(json, "/fields/0/values"), "2");
  EXPECT_EQ(json_at(json, "/fields/0/text_bytes"), "79");
  EXPECT_EQ(json_at(json, "/fields/0/codecs"), "{\"deflate\":79}");
  EXPECT_THAT(gannet({"inspect", index_}).out, AllOf(HasSubstr("stored"), HasSubstr("deflate")));
  EXPECT_EQ(gannet({"verify", index_}).code, 0);
  EXPECT_EQ(json_at(gannet({"verify", index_, "--json"}).out, "/values"), "3");
}

}  // namespace
}  // namespace gannet::test
