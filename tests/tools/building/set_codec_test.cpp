// gannet set-codec, and codecs that added documents do not fit, as a user types them.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class SetCodecCommand : public ::testing::Test {
 protected:
  /// A document a year, in milliseconds: two of them do not fit into 32 bits.
  Output write(const std::string& command, int year) {
    const std::string input = folder_ / "docs.jsonl";
    const std::string text = std::to_string(year);
    write_file(input, "{\"id\": \"d" + text + "\", \"contents\": \"year\", \"when\": \"" + text +
                          "-01-01T00:00:00.001Z\"}\n{\"id\": \"e" + text +
                          "\", \"contents\": \"year\", \"when\": \"" + text + "-01-02\"}\n");
    std::vector<std::string> all{command, "--input", input, "--format", "jsonl"};
    if (command == "index") {
      all.insert(all.end(), {"--field", "when:time:gpu-for", "--output", index_});
    } else {
      all.insert(all.end(), {"--index", index_});
    }
    all.insert(all.end(), more_.begin(), more_.end());
    return gannet(all);
  }

  TemporaryDirectory folder_;
  const std::string index_ = folder_ / "idx";
  std::vector<std::string> more_;
};

TEST_F(SetCodecCommand, AddsGoOnWhereTheMergedValuesDoNotFit) {
  ASSERT_EQ(write("index", 2000).code, 0);
  for (int year = 2001; year < 2009; ++year) ASSERT_EQ(write("add", year).err, "");
  const Output tenth = write("add", 2009);
  EXPECT_EQ(tenth.code, 0);
  EXPECT_THAT(tenth.out, HasSubstr("segments left: 1 of 10"));
  EXPECT_THAT(
      tenth.err,
      AllOf(HasSubstr("gannet add: warning: field 'when': its codes take 64 bits"),
            HasSubstr("gpu-for does not take"), HasSubstr("auto"), HasSubstr("gannet set-codec")));
  EXPECT_EQ(gannet({"search", "--index", index_, "--count", "when:>=2003-01-01"}).out, "14\n");
  EXPECT_EQ(gannet({"verify", index_}).code, 0);

  const Output set = gannet({"set-codec", index_, "--field", "when", "--codec", "auto"});
  EXPECT_EQ(set.code, 0) << set.err;
  EXPECT_THAT(
      set.out,
      HasSubstr("field 'when': auto instead of gpu-for; 20 documents of 1 segment written"));
  EXPECT_EQ(set.err, "");
  EXPECT_EQ(write("add", 1990).err, "");
  EXPECT_EQ(gannet({"merge", index_}).err, "");
  EXPECT_THAT(gannet({"set-codec", index_, "--field", "when", "--codec", "auto"}).out,
              HasSubstr("already"));
  const std::string json =
      gannet({"set-codec", index_, "--field", "when", "--codec", "gpu-for", "--json"}).out;
  EXPECT_EQ(json_at(json, "/before"), "\"auto\"");
  EXPECT_EQ(json_at(json, "/codec"), "\"gpu-for\"");
  EXPECT_EQ(json_at(json, "/documents_written"), "22");
  EXPECT_EQ(json_at(json, "/codec_fallbacks/0/used"), "\"auto\"");
  EXPECT_EQ(gannet({"verify", index_}).code, 0);
}

/// Damage that only a merge reads: what was added is there, and says so.
TEST_F(SetCodecCommand, AnAddWhoseMergeFailsIsAnAdd) {
  ASSERT_EQ(write("index", 2000).code, 0);
  for (int year = 2001; year < 2009; ++year) ASSERT_EQ(write("add", year).code, 0);
  const std::string postings = index_ + "/segment-00000001.postings";
  std::string bytes = read_file(postings);
  for (std::size_t i = 64; i < 68; ++i) bytes[i] = static_cast<char>(bytes[i] ^ 85);
  write_file(postings, bytes);
  more_ = {"--json"};
  const Output tenth = write("add", 2009);
  EXPECT_EQ(tenth.code, 0) << "who took it for a failure would add the documents again";
  EXPECT_EQ(json_at(tenth.out, "/added"), "2");
  EXPECT_THAT(json_at(tenth.out, "/merge/error"), HasSubstr("segment-00000001"));
  EXPECT_THAT(json_at(tenth.err, "/warning"),
              HasSubstr("the documents are there, but segments could not be merged"));
}

TEST_F(SetCodecCommand, SaysWhatThereIsInstead) {
  ASSERT_EQ(write("index", 2000).code, 0);
  const Output field = gannet({"set-codec", index_, "--field", "wen", "--codec", "auto"});
  EXPECT_EQ(field.code, 2);
  EXPECT_THAT(field.err, AllOf(HasSubstr("no field 'wen'"), HasSubstr("when")));
  const Output codec = gannet({"set-codec", index_, "--field", "when", "--codec", "gpu-fro"});
  EXPECT_EQ(codec.code, 2);
  EXPECT_THAT(codec.err, AllOf(HasSubstr("no codec 'gpu-fro'"), HasSubstr("gpu-for")));
  EXPECT_EQ(gannet({"set-codec", folder_ / "no", "--field", "a", "--codec", "auto"}).code, 4);
}

}  // namespace
}  // namespace gannet::test
