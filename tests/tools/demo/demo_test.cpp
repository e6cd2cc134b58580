// gannet demo, as somebody types it who has just installed Gannet.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "index/files/unfinished_mark.hpp"
#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/json.hpp"
#include "tests/support/tools/on_terminal.hpp"
#include "tools/terminal/screen.hpp"

namespace gannet::test {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

class Demo : public ::testing::Test {
 protected:
  /// A line of shell in the folder.
  Output type(const std::string& line) const {
    return shell("cd '" + folder_.path().string() + "' && gannet() { \"$GANNET\" \"$@\"; }; " +
                 line);
  }
  std::set<std::string> names() const { return names_in(folder_.path()); }

  TemporaryDirectory folder_;
};

TEST_F(Demo, ShowsHitsThenWhatItMeasuredThenWhatToType) {
  const Output demo = type("gannet demo");
  EXPECT_EQ(demo.code, 0);
  EXPECT_EQ(demo.err, "");
  const auto place = [&](const char* text) {
    EXPECT_THAT(demo.out, HasSubstr(text));
    return demo.out.find(text);
  };
  EXPECT_LT(place("\n$ gannet search gannet-demo -k 2 "), place("  gallium\n"));
  EXPECT_LT(place("  gallium\n"), place("  chlorine\n                kind: halogen  year: 1774"));
  EXPECT_LT(place("  chlorine\n"), place("\nfacet kind\n"));
  EXPECT_LT(place("\nfacet kind\n"), place("\nMeasured\n  indexing "));
  EXPECT_LT(place("\nMeasured\n"), place("\nNext, type\n"));
}

TEST_F(Demo, CommandsThatItShowsPrintWhatItShows) {
  const std::string out = type("gannet demo").out;
  std::size_t commands = 0;
  for (const std::string& line : lines_of(out)) {
    if (!line.starts_with("$ ")) continue;
    const Output typed = type(line.substr(2));
    EXPECT_EQ(typed.code, 0) << line;
    EXPECT_THAT(out, HasSubstr(line + "\n" + typed.out));
    ++commands;
  }
  EXPECT_EQ(commands, 3u);
  const std::string next = out.substr(out.find("Next, type\n"));
  commands = 0;
  for (const std::string& line : lines_of(next)) {
    if (!line.starts_with("  gannet ")) continue;
    const Output typed = type(line);
    EXPECT_EQ(typed.code, 0) << line << typed.err;
    ++commands;
  }
  EXPECT_EQ(commands, 3u);
  EXPECT_THAT(type("gannet get gannet-demo gold").out, HasSubstr("transition metal"));
}

TEST_F(Demo, FitsATerminalOf80ColumnsAnd60Lines) {
  const Output demo = on_terminal({"demo"}, {.columns = 80, .folder = folder_.path()});
  EXPECT_EQ(demo.code, 0);
  std::vector<std::string> lines = lines_of(demo.out);
  EXPECT_LE(lines.size(), 60u);
  for (std::string& line : lines) {
    std::erase(line, '\r');
    for (const std::string_view style : {"\033[1;31m", "\033[0m", "\033[K"}) {
      for (std::size_t at = 0; (at = line.find(style)) != std::string::npos;) {
        line.erase(at, style.size());
      }
    }
    EXPECT_LE(tools::columns_of(line), 80u) << line;
  }
}

TEST_F(Demo, ASecondOneUsesTheIndexThatIsThere) {
  EXPECT_EQ(type("gannet demo").code, 0);
  const auto made = fs::last_write_time(folder_ / "gannet-demo");
  EXPECT_EQ(type("gannet demo").code, 0);
  EXPECT_EQ(fs::last_write_time(folder_ / "gannet-demo"), made);
  EXPECT_THAT(names(), ElementsAre("gannet-demo"));
}

TEST_F(Demo, WhatIsThereStays) {
  fs::create_directory(folder_ / "gannet-demo");
  write_file(folder_ / "gannet-demo/poem", "precious");
  write_file(folder_ / "file", "precious");
  for (const char* const command : {"gannet demo", "gannet demo --output file"}) {
    const Output refused = type(command);
    EXPECT_EQ(refused.code, 2) << command;
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(refused.err, HasSubstr("it stays as it is. Name another folder"));
  }
  EXPECT_EQ(read_file(folder_ / "gannet-demo/poem"), "precious");
  EXPECT_EQ(read_file(folder_ / "file"), "precious");
  EXPECT_EQ(type("gannet demo --output other").code, 0);
  ASSERT_EQ(type("gannet delete other --id gold").code, 0);
  EXPECT_EQ(type("gannet demo --output other").code, 2) << "an index that was changed";
  EXPECT_THAT(type("gannet get other gold").out, HasSubstr("deleted"));
  EXPECT_THAT(names(), ElementsAre("file", "gannet-demo", "other"));
}

TEST_F(Demo, TwoAtOnceDoNotDisturbEachOther) {
  const Output both = type("gannet demo >a & gannet demo >b; one=$?; wait $! && exit $one");
  EXPECT_EQ(both.code, 0) << both.err;
  EXPECT_EQ(type("gannet verify gannet-demo").code, 0);
  EXPECT_THAT(names(), ElementsAre("a", "b", "gannet-demo"));
  EXPECT_THAT(read_file(folder_ / "a"), HasSubstr("gallium"));
  EXPECT_THAT(read_file(folder_ / "b"), HasSubstr("gallium"));
}

TEST_F(Demo, WhatAKilledOneLeftIsRemoved) {
  const fs::path left = folder_ / "gannet-demo.building-abcdef";
  fs::create_directories(left);
  index::mark_unfinished(left);
  write_file(left / "gannet.lock", "");
  write_file(left / "documents", "{}");
  EXPECT_EQ(type("gannet demo").code, 0);
  EXPECT_THAT(names(), ElementsAre("gannet-demo"));
}

TEST_F(Demo, AnIndexMayBeNamedWithBlanksOrByTheEnvironment) {
  const Output demo = type("GANNET_INDEX=nowhere gannet demo --output \"it's here\"");
  EXPECT_EQ(demo.code, 0) << demo.err;
  EXPECT_THAT(demo.out, HasSubstr("\n$ gannet search --index 'it'\\''s here' -k 2 "));
}

TEST_F(Demo, JsonIsALineForEachSearchAndOneOfWhatWasMeasured) {
  const Output demo = type("gannet demo --json --backend cpu");
  EXPECT_EQ(demo.code, 0);
  const std::vector<std::string> lines = lines_of(demo.out);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(json_at(lines[0], "/command"), "\"search\"");
  EXPECT_EQ(json_at(lines[0], "/hits/0/id"), "\"gallium\"");
  EXPECT_EQ(json_at(lines[0], "/report/backend"), "\"cpu\"");
  EXPECT_EQ(json_at(lines[3], "/command"), "\"demo\"");
  EXPECT_EQ(json_at(lines[3], "/documents"), "161");
  EXPECT_EQ(json_at(lines[3], "/index"), "\"gannet-demo\"");
}

TEST_F(Demo, ItsDocumentsAreWhatTheFileInTheTreeHas) {
  const std::string file = std::string(kSourceFolder) + "/tools/demo/documents.jsonl";
  ASSERT_EQ(type("gannet demo").code, 0);
  const std::vector<std::string> lines = lines_of(read_file(file));
  std::string ids;
  for (const std::string& line : lines) {
    const std::string id = json_at(line, "/id");
    ids += id.substr(1, id.size() - 2) + "\n";
  }
  write_file(folder_ / "ids", ids);
  const std::vector<std::string> got =
      lines_of(type("gannet get gannet-demo --json --input ids").out);
  ASSERT_EQ(got.size(), lines.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(json_at(got[i], "/text"), json_at(lines[i], "/contents"));
    EXPECT_EQ(json_at(got[i], "/fields/kind"), json_at(lines[i], "/kind"));
  }
}

TEST_F(Demo, OtherScriptsAreFound) {
  ASSERT_EQ(type("gannet demo").code, 0);
  for (const char* const name : {"水素", "водород", "hidrógeno", "υδρογόνο"}) {
    const Output found = type(std::string("gannet search gannet-demo -k 1 --json ") + name);
    EXPECT_EQ(json_at(found.out, "/hits/0/id"), "\"hydrogen\"") << name;
  }
}

}  // namespace
}  // namespace gannet::test
