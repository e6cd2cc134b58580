// stdout that takes nothing, and stdin that gives nothing: a full disk is an error of every
// command, whatever it prints, and so is a descriptor that is closed.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;

/// Run files, JSON and texts longer than any buffer between the command and the disk: a write that
/// fails in the middle must not be forgotten at the end.
class FullDisk : public ::testing::Test {
 protected:
  static constexpr int kDocuments = 5000;

  FullDisk() {
    std::string documents;
    for (int i = 0; i < kDocuments; ++i) {
      documents += "{\"id\": \"document-" + std::to_string(i) + "\", \"contents\": \"cat\"}\n";
    }
    write_file(folder_ / "docs.jsonl", documents);
    write_file(folder_ / "topics", "1\tcat\n");
    write_file(folder_ / "qrels", "1 0 document-1 1\n");
    write_file(folder_ / "run", "1 Q0 document-1 1 1 t\n");
    write_file(folder_ / "raw", std::string(400'000, 'x'));
    EXPECT_EQ(shell("$GANNET index --input docs.jsonl --format jsonl --output idx --quiet").code,
              0);
    EXPECT_EQ(shell("$GANNET encode --type u32 --input raw --output column --quiet").code, 0);
  }

  Output shell(const std::string& line) const {
    return test::shell("cd '" + folder_.path().string() + "' && " + line);
  }

  void expect_error(const std::string& line) const {
    const Output output = shell("$GANNET " + line + " >/dev/full");
    EXPECT_EQ(output.code, 4) << line << '\n' << output.err;
    EXPECT_THAT(output.err, HasSubstr("cannot write to stdout: No space left on device")) << line;
  }

  TemporaryDirectory folder_;
};

TEST_F(FullDisk, IsAnErrorOfEveryCommand) {
  for (const std::string line : {
           "--help",
           "version",
           "version --json",
           "help search",
           "search --index idx --k 5000 cat",
           "search --index idx --k 5000 --json cat",
           "search --index idx --docids cat",
           "search --index idx --count cat",
           "run --index idx --topics topics --output - --k 5000",
           "run --index idx --topics topics --output - --k 5000 --quiet",
           "run --index idx --topics topics --output other",
           "eval --qrels qrels --run run",
           "eval --qrels qrels --run run --json",
           "inspect idx",
           "inspect idx --json",
           "inspect column",
           "verify idx",
           "verify column --json",
           "export --index idx --format ds2i --output lists",
           "generate --documents 3000 --output -",
           "generate --documents 1 --output generated",
           "encode --type u8 --input raw --output other.column",
           "decode --input column --output -",
           "decode --input column --output other.raw",
           "index --input docs.jsonl --format jsonl --output idx --overwrite --json",
       }) {
    expect_error(line);
  }
}

TEST_F(FullDisk, QueriesOfStdin) {
  const Output output = shell("echo cat | $GANNET search --index idx - >/dev/full");
  EXPECT_EQ(output.code, 4) << output.err;
}

TEST_F(FullDisk, WhatAnErrorLeavesBehindIsWritten) {
  const Output output =
      shell("printf 'cat\\n(\\n' | $GANNET search --index idx --count --on-error stop -");
  EXPECT_EQ(output.code, 2);
  EXPECT_EQ(output.out, std::to_string(kDocuments) + "\n");
}

/// Who starts a command may close its descriptors: their numbers are no other file's.
TEST_F(FullDisk, ClosedDescriptorsAreErrors) {
  for (const std::string line : {"encode --type u8 --input - --output other.column <&-",
                                 "delete --index idx --ids - <&-", "search --index idx - <&-"}) {
    const Output output = shell("$GANNET " + line);
    EXPECT_EQ(output.code, 4) << line;
    EXPECT_THAT(output.err, HasSubstr("stdin: cannot be read")) << line;
  }
  for (const std::string line :
       {"run --index idx --topics topics --output other <&- >&-",
        "decode --input column --output other.raw <&- >&-", "search --index idx cat >&-"}) {
    const Output output = shell("$GANNET " + line);
    EXPECT_EQ(output.code, 4) << line;
    EXPECT_THAT(output.err, HasSubstr("cannot write to stdout")) << line;
  }
  EXPECT_EQ(read_file(folder_ / "other.raw"), read_file(folder_ / "raw"));
}

TEST_F(FullDisk, AStdinThatCannotBeReadIsNotAnEmptyOne) {
  for (const std::string line : {"delete --index idx --ids - </", "search --index idx - </"}) {
    const Output output = shell("$GANNET " + line);
    EXPECT_EQ(output.code, 4) << line;
    EXPECT_THAT(output.err, HasSubstr("stdin: cannot be read: Is a directory")) << line;
  }
}

}  // namespace
}  // namespace gannet::test
