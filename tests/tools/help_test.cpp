// What the command says about itself, and about wrong command lines.
#include <gmock/gmock.h>

#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"
#include "tests/support/tools/named_options.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(Help, ListsEveryCommandAndTheExitCodes) {
  const Output help = gannet({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.err, IsEmpty());
  for (const std::string& command : named_commands()) {
    EXPECT_THAT(help.out, HasSubstr("\n  " + words_of(command).front()));
  }
  EXPECT_THAT(help.out, HasSubstr("Exit codes: 0 done; 1"));
  EXPECT_EQ(gannet({"-h"}).out, help.out);
  EXPECT_EQ(gannet({"help"}).out, help.out);
}

TEST(Help, EveryCommandTeachesWithAnExample) {
  for (const std::string& command : named_commands()) {
    if (named_options(command).empty()) continue;
    std::vector<std::string> words = words_of(command);
    words.insert(words.begin(), "help");
    const Output asked = gannet(words);
    words.erase(words.begin());
    words.emplace_back("--help");
    const Output help = gannet(words);
    EXPECT_EQ(help.code, 0) << command;
    EXPECT_THAT(help.out, StartsWith("Usage: gannet " + command));
    EXPECT_THAT(help.out, HasSubstr("Examples:"));
    EXPECT_THAT(help.out, HasSubstr("--json"));
    EXPECT_THAT(help.err, IsEmpty());
    EXPECT_EQ(asked.out, help.out);
  }
}

TEST(Help, WithoutArgumentsItGoesToStderrAndIsAnError) {
  const Output none = gannet({});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.out, IsEmpty());
  EXPECT_THAT(none.err, HasSubstr("Usage: gannet COMMAND"));
}

TEST(Help, AnUnknownCommandSuggestsTheNearest) {
  const Output typo = gannet({"serach"});
  EXPECT_EQ(typo.code, 2);
  EXPECT_TRUE(is_one_line(typo.err)) << typo.err;
  EXPECT_THAT(typo.err, HasSubstr("did you mean 'search'?"));
  EXPECT_EQ(gannet({"help", "serach"}).code, 2);
  EXPECT_THAT(gannet({"quack"}).err, ::testing::Not(HasSubstr("did you mean")));
}

TEST(Help, ATextThatIsGivenTwiceIsNoneOfThem) {
  for (const char* option : {"--index", "--filter", "--mode"}) {
    const Output twice = gannet({"search", "--index", "x", option, "or", option, "and", "cat"});
    EXPECT_EQ(twice.code, 2) << option;
    EXPECT_THAT(twice.err, HasSubstr("more than once")) << option;
    EXPECT_TRUE(is_one_line(twice.err)) << twice.err;
  }
}

TEST(Help, AnUnknownOptionSuggestsTheNearest) {
  const Output typo = gannet({"verify", "--indx", "x"});
  EXPECT_EQ(typo.code, 2);
  EXPECT_TRUE(is_one_line(typo.err)) << typo.err;
  EXPECT_THAT(typo.err,
              StartsWith("gannet verify: unknown option '--indx' (did you mean '--index'?)"));
}

TEST(Help, AnOptionIsNeverAbbreviated) { EXPECT_EQ(gannet({"verify", "--ind", "x"}).code, 2); }

TEST(Help, AMissingOptionIsNamed) {
  const Output missing = gannet({"index", "--format", "tsv", "--output", "x"});
  EXPECT_EQ(missing.code, 2);
  EXPECT_THAT(missing.err, HasSubstr("--input"));
}

TEST(Version, NamesBackEndsCodecsAndLibraries) {
  const Output version = gannet({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_THAT(version.out, StartsWith("gannet 0."));
  EXPECT_THAT(version.out, HasSubstr("gpu-bp128"));
  EXPECT_THAT(version.out, HasSubstr("simdjson"));
  const Output json = gannet({"--version", "--json"});
  EXPECT_EQ(json_at(json.out, "/backends/cpu/usable"), "true");
  EXPECT_THAT(json_at(json.out, "/codecs"), HasSubstr("\"gpu-bp128\""));
  if (json_at(json.out, "/backends/cuda/built") == "false") {
    const std::string why = json_at(json.out, "/backends/cuda/why");
    EXPECT_THAT(why, ::testing::AnyOf(HasSubstr("GANNET_CUDA=OFF at build time"),
                                      HasSubstr("no CUDA compiler"), HasSubstr("nvcc")));
    EXPECT_THAT(version.out, HasSubstr("no CUDA code: "));
  }
}

TEST(Streams, AFullDiskBehindStdoutIsAnError) {
  const Output full = shell("$GANNET --help > /dev/full");
  EXPECT_EQ(full.code, 4);
  EXPECT_THAT(full.err, HasSubstr("cannot write to stdout"));
}

TEST(Streams, AReaderThatLeavesIsNoError) {
  const Output head = shell("$GANNET help index | head -n 1");
  EXPECT_EQ(head.code, 0);
  EXPECT_THAT(head.err, IsEmpty());
}

}  // namespace
}  // namespace gannet::test
