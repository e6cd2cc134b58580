// gannet search IDX -, where a person types the queries.
#include <gmock/gmock.h>

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/animals.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"
#include "tests/support/tools/on_terminal.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Prompt : public ::testing::Test {
 protected:
  Output type(std::string_view typed, std::vector<std::string> options = {}) const {
    std::vector<std::string> arguments{"search", index_};
    arguments.insert(arguments.end(), options.begin(), options.end());
    arguments.emplace_back("-");
    return on_terminal(arguments, {.typed = typed});
  }
  static std::size_t count(const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++found;
    return found;
  }

  TemporaryDirectory folder_;
  std::string index_ = index_animals(folder_);
};

TEST_F(Prompt, AsksForEachQueryUntilCtrlD) {
  const Output session = type("gannet\nfish\n\4");
  EXPECT_EQ(session.code, 0);
  EXPECT_THAT(session.out, HasSubstr("A query a line; Ctrl-D ends."));
  EXPECT_EQ(count(session.out, "> "), 3u) << session.out;
  EXPECT_THAT(session.out, HasSubstr("  d-bird\r\n"));
  EXPECT_THAT(session.out, HasSubstr("  d-fish\r\n"));
  EXPECT_THAT(session.out, HasSubstr("2 matches in "));
  EXPECT_TRUE(session.out.ends_with("> \r\n")) << session.out;
}

TEST_F(Prompt, SurvivesABadQuery) {
  const Output session = type("cat (dog\nyear:2000\ngannet\n\4");
  EXPECT_EQ(session.code, 0);
  EXPECT_THAT(session.out, HasSubstr("> query, column 5: '(' is never closed\r\n> "));
  EXPECT_THAT(session.out, Not(HasSubstr("stdin:")));
  EXPECT_THAT(session.out, HasSubstr("  d-bird\r\n"));
  EXPECT_EQ(type("cat (dog\ngannet\n\4", {"--on-error", "stop"}).code, 2);
}

TEST_F(Prompt, PassesOverBlankLines) {
  const Output session = type("\n  \ngannet\n\4");
  EXPECT_EQ(session.code, 0);
  EXPECT_THAT(session.out, Not(HasSubstr("no documents found")));
  EXPECT_EQ(count(session.out, "> "), 4u) << session.out;
}

TEST_F(Prompt, JsonIsALineForEachQuery) {
  const Output session = type("cat (dog\ngannet\n\4", {"--json"});
  EXPECT_EQ(session.code, 0);
  EXPECT_THAT(session.out, HasSubstr("\"query\":\"cat (dog\",\"error\":{\"code\":\"usage\""));
  EXPECT_THAT(session.out, HasSubstr("\"id\":\"d-bird\""));
}

TEST_F(Prompt, IsForPeopleAlone) {
  const Output piped = gannet({"search", index_, "-"}, "gannet\n");
  EXPECT_EQ(piped.code, 0);
  EXPECT_THAT(piped.err, IsEmpty());
  EXPECT_THAT(piped.out, HasSubstr("> gannet\n  1  "));
}

}  // namespace
}  // namespace gannet::test
