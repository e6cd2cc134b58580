// What strangers wrote (ids, terms, texts, names of files), on a terminal: none of its control
// characters is obeyed. Files and pipes get every byte.
#include <gmock/gmock.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>

#include "tests/support/files.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/tools/command.hpp"
#include "tests/support/tools/on_terminal.hpp"
#include "tools/terminal/screen.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Sets a window's title, then a C1 control sequence, then an override of the direction of writing.
constexpr std::string_view kHostile = "a\033]0;owned\a\u009b31m\u202eb";
constexpr std::string_view kHostileInRun = "a%1B]0;owned%07\u009b31m\u202eb";
constexpr std::string_view kHostileJson = "a\\u001b]0;owned\\u0007\\u009b31m\\u202eb";

std::string without(std::string text, std::string_view part) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos;) {
    text.erase(at, part.size());
  }
  return text;
}

/// Nothing that a terminal obeys, apart from Gannet's own highlighting and its progress line.
void expect_harmless(const std::string& text) {
  const std::string rest = without(without(without(text, "\033[1;31m"), "\033[0m"), "\033[K");
  for (const std::string_view control : {"\033", "\a", "\u009b", "\u202e"}) {
    EXPECT_THAT(rest, Not(HasSubstr(std::string(control)))) << text;
  }
}

class Terminal : public ::testing::Test {
 protected:
  Terminal() {
    write_file(folder_ / "docs.jsonl", "{\"id\": \"" + std::string(kHostileJson) +
                                           "\", \"contents\": \"cat " + std::string(kHostileJson) +
                                           " dog\"}\n");
    EXPECT_EQ(gannet({"index", "--input", folder_ / "docs.jsonl", "--format", "jsonl", "--output",
                      index_, "--store", "--quiet"})
                  .code,
              0);
    write_file(folder_ / "topics", "1\tcat\n");
  }

  TemporaryDirectory folder_;
  std::string index_ = folder_ / "idx";
};

TEST_F(Terminal, IdsAndTextsOfHitsAreCleaned) {
  const Output hits = on_terminal({"search", "--index", index_, "cat"});
  EXPECT_EQ(hits.code, 0) << hits.out;
  EXPECT_THAT(hits.out, HasSubstr("owned"));
  EXPECT_THAT(hits.out, HasSubstr("\033[1;31mcat\033[0m"));  // the terminal does get our own
  expect_harmless(hits.out);
  const Output ids = on_terminal({"search", "--index", index_, "--docids", "cat"});
  EXPECT_THAT(ids.out, HasSubstr("owned"));
  expect_harmless(ids.out);
}

TEST_F(Terminal, TheTotalAndTheTimeStandBelowTheHits) {
  const Output all = on_terminal({"search", "--index", index_, "cat"});
  EXPECT_THAT(all.out, HasSubstr("1 match in "));
  const Output cut = on_terminal({"search", "--index", index_, "-k", "1", "cat"});
  EXPECT_THAT(cut.out, HasSubstr("at least 1 match in "));
  EXPECT_THAT(gannet({"search", "--index", index_, "cat"}).err, ::testing::IsEmpty());
}

TEST_F(Terminal, ColoursAreForTerminalsThatWantThem) {
  const std::vector<std::string> search{"search", "--index", index_, "cat"};
  EXPECT_THAT(on_terminal(search).out, HasSubstr("\033[1;31mcat"));
  EXPECT_THAT(on_terminal(search, {.variable = "NO_COLOR=1"}).out, Not(HasSubstr("\033")));
  EXPECT_THAT(on_terminal(search, {.variable = "TERM=dumb"}).out, Not(HasSubstr("\033")));
  EXPECT_THAT(on_terminal(search, {.variable = "NO_COLOR="}).out, HasSubstr("\033[1;31mcat"));
  const std::vector<std::string> asked{"search", "--index", index_, "--highlight", "ansi", "cat"};
  EXPECT_THAT(on_terminal(asked, {.variable = "NO_COLOR=1"}).out, HasSubstr("\033[1;31mcat"));
}

TEST_F(Terminal, LinesFitIt) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "whale 鯨鯨鯨鯨鯨 sea ";
  write_file(folder_ / "wide.jsonl", "{\"id\": \"w\", \"contents\": \"" + text + "\"}\n");
  const std::string wide = folder_ / "wide";
  ASSERT_EQ(gannet({"index", "--input", folder_ / "wide.jsonl", "--format", "jsonl", "--output",
                    wide, "--store", "--quiet"})
                .code,
            0);
  for (const auto columns : {std::uint16_t{40}, std::uint16_t{80}}) {
    const std::string out =
        on_terminal({"search", "--index", wide, "whale"}, {.columns = columns}).out;
    std::size_t lines = 0;
    for (std::size_t at = 0, end = 0; (end = out.find('\n', at)) != std::string::npos;
         at = end + 1) {
      const std::string line = out.substr(at, end - at - 1);  // the terminal adds a carriage return
      EXPECT_LE(tools::columns_of(line), columns) << line;
      ++lines;
    }
    EXPECT_GT(lines, 2u) << out;
  }
  const std::string piped = gannet({"search", "--index", wide, "whale"}).out;
  EXPECT_EQ(std::count(piped.begin(), piped.end(), '\n'), 2) << "a hit and its snippet";
}

TEST_F(Terminal, PipesGetTheBytesThatAreThere) {
  EXPECT_EQ(gannet({"search", "--index", index_, "--docids", "cat"}).out,
            std::string(kHostile) + "\n");
  const Output run =
      gannet({"run", "--index", index_, "--topics", folder_ / "topics", "--output", "-"});
  EXPECT_THAT(run.out, HasSubstr(std::string(kHostileInRun)));
}

TEST_F(Terminal, ARunFileEscapesControlCharactersAndIsCleanOnATerminal) {
  const std::vector<std::string> run{"run",      "--index",          index_,
                                     "--topics", folder_ / "topics", "--output"};
  std::vector<std::string> to_file = run;
  to_file.push_back(folder_ / "run");
  EXPECT_EQ(on_terminal(to_file).code, 0);
  EXPECT_THAT(read_file(folder_ / "run"), HasSubstr(std::string(kHostileInRun)));
  std::vector<std::string> to_terminal = run;
  to_terminal.emplace_back("-");
  const Output shown = on_terminal(to_terminal);
  EXPECT_THAT(shown.out, HasSubstr("owned"));
  expect_harmless(shown.out);
}

TEST_F(Terminal, RawValuesStayAway) {
  write_file(folder_ / "raw", kHostile);
  ASSERT_EQ(
      gannet({"encode", "--type", "u8", "--input", folder_ / "raw", "--output", folder_ / "column"})
          .code,
      0);
  const std::string link = folder_ / "stdout";
  std::filesystem::create_symlink("/dev/fd/1", link);
  for (const std::string& to : {std::string("-"), std::string("/dev/fd/1"), link}) {
    const Output shown = on_terminal({"decode", "--input", folder_ / "column", "--output", to});
    EXPECT_EQ(shown.code, 2) << to;
    EXPECT_THAT(shown.out, HasSubstr("this is a terminal"));
    EXPECT_THAT(shown.out, HasSubstr("give a file"));
    expect_harmless(shown.out);
  }
  EXPECT_EQ(gannet({"decode", "--input", folder_ / "column", "--output", link}).out, kHostile);
}

TEST_F(Terminal, AnIdIsOneLineForEverybody) {
  write_file(folder_ / "docs.jsonl",
             "{\"id\": \"one\\n  2     9.9000  fake\\r\\tx\", \"contents\": \"cat\"}\n");
  ASSERT_EQ(gannet({"index", "--input", folder_ / "docs.jsonl", "--format", "jsonl", "--output",
                    index_, "--overwrite"})
                .code,
            0);
  struct Case {
    std::string option, id;
  };
  const std::string shown = "one\uFFFD  2     9.9000  fake\uFFFD\uFFFDx";
  for (const Case& c : {Case{"--k=5", shown}, Case{"--docids", shown},
                        Case{"--json", "one\\n  2     9.9000  fake\\r\\tx"}}) {
    const std::vector<std::string> command{"search", "--index", index_, c.option, "cat"};
    for (const Output& output : {gannet(command), on_terminal(command)}) {
      // A terminal also gets the line with the total.
      const std::string hits = output.out.substr(0, output.out.find("1 match in "));
      EXPECT_TRUE(is_one_line(hits)) << output.out;
      EXPECT_THAT(output.out, HasSubstr(c.id));
    }
  }
}

TEST_F(Terminal, JsonKeepsItsValues) {
  const Output found = on_terminal({"search", "--index", index_, "--json", "cat"});
  expect_harmless(found.out);
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  ASSERT_EQ(parser.parse(found.out).get(document), simdjson::SUCCESS) << found.out;
  std::string_view id;
  ASSERT_EQ(document.at_pointer("/hits/0/id").get(id), simdjson::SUCCESS);
  EXPECT_EQ(id, kHostile);
}

TEST_F(Terminal, MessagesAreCleaned) {
  const std::string name(kHostile);
  expect_harmless(on_terminal({"search", "--index", folder_ / name, "cat"}).out);
  expect_harmless(on_terminal({name}).out);
  expect_harmless(on_terminal({"search", "--" + name}).out);
  expect_harmless(on_terminal({"inspect", index_, "--term", "cat" + name}).out);
  write_file(folder_ / "qrels", "1 0 x 1\n" + name + " 0 x 1\n");
  write_file(folder_ / "run", "1 Q0 x 1 1 t\n" + name + " Q0 x 1 1 t\n");
  const Output eval =
      on_terminal({"eval", "--qrels", folder_ / "qrels", "--run", folder_ / "run", "--per-query"});
  EXPECT_THAT(eval.out, HasSubstr("owned"));
  expect_harmless(eval.out);
}

}  // namespace
}  // namespace gannet::test
