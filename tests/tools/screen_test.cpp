// What fits a terminal: columns of text, lines that are wrapped, tables that are cut, progress.
#include "tools/terminal/screen.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "tests/support/growth.hpp"
#include "tools/measure/table.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(Screen, CountsColumnsNotBytes) {
  EXPECT_EQ(columns_of("cat"), 3u);
  EXPECT_EQ(columns_of("鯨"), 2u);
  EXPECT_EQ(columns_of("e\u0301"), 1u);
  EXPECT_EQ(columns_of("\033[1;31mcat\033[0m"), 3u);
  EXPECT_EQ(columns_of(""), 0u);
}

TEST(Screen, CutsBetweenCharacters) {
  EXPECT_EQ(cut_to("whale", 5), "whale");
  EXPECT_EQ(cut_to("whales", 5), "whal…");
  EXPECT_EQ(cut_to("鯨鯨鯨", 4), "鯨…") << "a wide character has no half";
  EXPECT_EQ(cut_to("e\u0301e\u0301e\u0301", 2), "e\u0301…");
}

TEST(Screen, WrapsAtBlanksAndInWordsThatAreTooLong) {
  EXPECT_EQ(wrapped("one two three four five", 2, 22), "one two three four\n  five");
  EXPECT_EQ(wrapped("aaaaaaaaaabbbbbbbbbbcc", 0, 20), "aaaaaaaaaabbbbbbbbbb\ncc");
  EXPECT_EQ(wrapped("aaaaaaaaaa bbbbbbbbb cc", 0, 20), "aaaaaaaaaa bbbbbbbbb\ncc");
  EXPECT_EQ(wrapped("one two", 2, {}), "one two");
  EXPECT_EQ(wrapped("", 2, 22), "");
  // However narrow: 20 columns.
  EXPECT_EQ(wrapped("one two three four five", 16, 10),
            "one two three four\n" + std::string(16, ' ') + "five");
}

TEST(Screen, WrappingTakesLinearTime) {
  for (const char* const unit : {"word ", "鯨", "\033[1mx\033[0m", "\033["}) {
    const auto text = [&](std::size_t bytes) {
      return test::repeated(bytes / 8, [&](std::size_t) { return std::string(unit); });
    };
    test::expect_nearly_linear(unit, 100'000, text,
                               [](const std::string& line) { wrapped(line, 2, 80); });
  }
}

TEST(Screen, WrappedTextLosesNothing) {
  const std::string text =
      "\033[1;31m鯨鯨鯨\033[0m of a long and wide 鯨鯨鯨鯨鯨鯨鯨鯨鯨鯨鯨鯨鯨鯨 sea";
  for (std::size_t columns = 1; columns < 90; ++columns) {
    std::string kept = wrapped(text, 0, columns);
    for (std::size_t at = 0, end = 0; at <= kept.size(); at = end + 1) {
      end = std::min(kept.find('\n', at), kept.size());
      EXPECT_LE(columns_of(std::string_view(kept).substr(at, end - at)),
                std::max<std::size_t>(columns, 20));
    }
    std::string without = text;
    std::erase(without, ' ');
    std::erase(kept, ' ');
    std::erase(kept, '\n');
    EXPECT_EQ(kept, without);
  }
}

TEST(TextTable, AlignsWideCharacters) {
  TextTable table({"name", "n"});
  table.add({"鯨", "1"});
  table.add({"whale", "10"});
  EXPECT_EQ(table.text(), "name    n\n---------\n鯨      1\nwhale  10\n");
}

TEST(TextTable, IsCutIntoSeveralWhereItIsTooWide) {
  TextTable table({"id", "first", "second", "third"});
  table.add({"a", "1", "2", "3"});
  const std::string whole = table.text();
  EXPECT_EQ(table.text(80), whole);
  EXPECT_EQ(table.text(18),
            "id  first  second\n-----------------\na       1       2\n\n"
            "id  third\n---------\na       3\n");
  EXPECT_EQ(table.text(1),
            "id  first\n---------\na       1\n\nid  second\n----------\na        2\n\n"
            "id  third\n---------\na       3\n");
  EXPECT_EQ(TextTable({"id"}).text(80), "id\n--\n");
}

TEST(ProgressLine, SaysOnlyWhatIsSo) {
  const auto line = [](std::uint64_t done, double seconds) {
    return progress_line({"indexing", done, 1000, ProgressUnit::kCount, seconds});
  };
  EXPECT_THAT(line(999, 100), HasSubstr(" 99 % "));
  EXPECT_THAT(line(999, 100), HasSubstr("1 s left"));
  EXPECT_THAT(line(1000, 100), HasSubstr("100 % "));
  EXPECT_THAT(line(1000, 100), Not(HasSubstr("left")));
  EXPECT_THAT(line(500, 100.5), HasSubstr(" 50 % 1 min 41 s left"));
  EXPECT_THAT(line(500, 0.5), Not(HasSubstr("left")));
  EXPECT_THAT(progress_line({"reading", 2048, 0, ProgressUnit::kBytes, 5}), HasSubstr("2.0 KiB"));
  EXPECT_THAT(cut_to(line(500, 80), 29), HasSubstr("50 % 80 s left"));
}

TEST(Counted, OneThingIsNoPlural) {
  EXPECT_EQ(counted(0, "hit"), "0 hits");
  EXPECT_EQ(counted(1, "hit"), "1 hit");
  EXPECT_EQ(counted(1234, "query", "queries"), "1,234 queries");
}

}  // namespace
}  // namespace gannet::tools
