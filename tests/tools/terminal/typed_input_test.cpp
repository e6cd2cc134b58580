// Input that a person types: Ctrl-D once ends it.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/on_terminal.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;

TEST(TypedInput, CtrlDEndsDocumentsOnce) {
  const TemporaryDirectory folder;
  const std::string one = "{\"id\": \"a\", \"contents\": \"cat\"}\n\4";
  for (const bool named : {false, true}) {
    std::vector<std::string> words{"index", "-", "-o", named ? "named" : "guessed"};
    if (named) words.insert(words.end(), {"-f", "jsonl"});
    // What is typed behind it would be read by who asks again.
    const Output made =
        on_terminal(words, {.typed = one + "no json\n\4", .folder = folder.path().string()});
    EXPECT_EQ(made.code, 0) << made.out;
    EXPECT_THAT(made.out, HasSubstr(": 1 document,"));
  }
}

TEST(TypedInput, CtrlDEndsIdsOnce) {
  const TemporaryDirectory folder;
  const std::string index = index_animals(folder);
  const Output got = on_terminal({"get", index, "--input", "-"}, {.typed = "d-cat\n\4nosuch\n\4"});
  EXPECT_EQ(got.code, 0) << got.out;
}

}  // namespace
}  // namespace gannet::test
