// Manual pages: each option is there, and troff reads them without a warning.
#include "tools/reference/man.hpp"

#include <gmock/gmock.h>

#include "tests/support/tools/named_options.hpp"

namespace gannet::test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StrEq;

std::string page_of(const std::string& command) {
  std::vector<std::string> words = words_of(command);
  words.insert(words.begin(), "help");
  words.emplace_back("--man");
  const Output page = gannet(words);
  EXPECT_EQ(page.code, 0) << page.err;
  return page.out;
}

std::vector<std::string> all_pages() {
  std::vector<std::string> pages{page_of("")};
  for (const std::string& command : named_commands()) pages.push_back(page_of(command));
  return pages;
}

/// What groff says of a page, and the page as a terminal shows it.
Output formatted(const std::string& page) {
  const TemporaryDirectory folder;
  write_file(folder / "page.1", page);
  return shell("LC_ALL=C.UTF-8 groff -man -ww -Tutf8 -rLL=100n -P-cbou '" +
               (folder / "page.1").string() + "'");
}

TEST(ManPage, HasEveryOption) {
  for (const std::string& command : named_commands()) {
    const std::string page = page_of(command);
    for (const std::string& option : named_options(command)) {
      EXPECT_EQ(occurrences(page, "\\fB" + tools::troff("--" + option) + "\\fR"), 1u)
          << command << " " << option;
    }
  }
}

TEST(ManPage, ThatOfGannetNamesAllCommands) {
  const std::string page = page_of("");
  EXPECT_THAT(page, HasSubstr(".SH NAME\ngannet \\- "));
  for (const std::string& command : named_commands()) {
    if (command.find(' ') != std::string::npos) continue;
    EXPECT_THAT(page, HasSubstr("\\fB" + tools::troff("gannet-" + command) + "\\fR(1)\n"));
  }
  EXPECT_THAT(page_of("bench"), HasSubstr("\\fBgannet\\-bench\\-decode\\fR(1)\n"));
  EXPECT_EQ(gannet({"help", "serach", "--man"}).code, 2);
  EXPECT_EQ(gannet({"help", "search", "--man", "--json"}).code, 2);
}

TEST(ManPage, TroffReadsItWithoutAWarning) {
  if (!installed("groff")) GTEST_SKIP() << "there is no groff";
  for (const std::string& page : all_pages()) {
    EXPECT_THAT(formatted(page).err, IsEmpty()) << page.substr(0, 60);
  }
}

TEST(ManPage, CharactersOfTroffAreTexts) {
  EXPECT_THAT(tools::troff(".TH"), StrEq("\\&.TH"));
  EXPECT_THAT(tools::troff("'a'"), StrEq("\\&\\(aqa\\(aq"));
  EXPECT_THAT(tools::troff("a\\fB --k \"x\" ^~`"),
              StrEq("a\\efB \\-\\-k \\(dqx\\(dq \\(ha\\(ti\\(ga"));
  EXPECT_THAT(tools::troff("caf\u00e9"), StrEq("caf\\[u00E9]"));
}

TEST(ManPage, OddTextsAreShownAsTheyAre) {
  if (!installed("groff")) GTEST_SKIP() << "there is no groff";
  constexpr std::string_view kLines[] = {".SH nothing", "'br it's", R"(a\fBb \n(.l -x --y "z")",
                                         "~a^ `b` caf\u00e9"};
  tools::Page page{{"gannet", "try"}, "a 'summary'", {}, {}};
  std::string text;
  for (const std::string_view line : kLines) text += "\n\n" + std::string(line);
  page.description.help = {"gannet try", text, "\n  .x 'y' \\\n     z"};
  const Output shown = formatted(tools::man_page(page));
  EXPECT_THAT(shown.err, IsEmpty());
  for (const std::string_view line : kLines) EXPECT_THAT(shown.out, HasSubstr(std::string(line)));
  EXPECT_THAT(shown.out, HasSubstr(".x 'y' \\\n"));
}

}  // namespace
}  // namespace gannet::test
