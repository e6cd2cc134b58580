// Compressed input that unfolds to far more than --memory.
#include <gmock/gmock.h>

#include <filesystem>
#include <string>

#include "tests/support/compression.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"

namespace gannet::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Output build_in_64_mb(const std::filesystem::path& input, const std::string& format,
                      const std::filesystem::path& output) {
  return gannet({"index", "--memory", "64M", "--threads", "2", "--quiet", "--input", input,
                 "--format", format, "--output", output});
}

TEST(Unfolding, ARecordThatUnfoldsIsRefusedWithItsPlace) {
  const TemporaryDirectory folder;
  const std::string head = "{\"id\": \"a\", \"contents\": \"";
  // 64 MB of one line from 64 kB.
  write_file(folder / "bomb.jsonl.gz", gzip(head + std::string(std::size_t{64} << 20, 'x')));
  for (const std::string format : {"jsonl", "tsv", "csv", "trectext"}) {
    const Output refused = build_in_64_mb(folder / "bomb.jsonl.gz", format, folder / "idx");
    EXPECT_EQ(refused.code, 3) << format << refused.err;
    EXPECT_THAT(refused.err, AllOf(HasSubstr("bomb.jsonl.gz:1: no end of a record within 4194304"),
                                   HasSubstr("More memory")))
        << format;
  }
}

/// Each of them is far below any limit as it lies there.
TEST(Unfolding, FilesThatUnfoldAreRefusedOneByOne) {
  const TemporaryDirectory folder;
  const std::string bomb = gzip(std::string(std::size_t{8} << 20, 'x'));
  for (int i = 0; i < 20; ++i) folder.write("docs/" + std::to_string(i) + ".txt.gz", bomb);
  const Output refused = build_in_64_mb(folder / "docs", "dir", folder / "idx");
  EXPECT_EQ(refused.code, 3) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("has more than 4194304 bytes"));
}

}  // namespace
}  // namespace gannet::test
