// The documents that list codecs list those that there are.
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "codecs/columns.hpp"
#include "codecs/registry.hpp"
#include "tests/support/files.hpp"
#include "tests/support/paths.hpp"

namespace gannet::test {
namespace {

using Names = std::set<std::string>;

std::string document(const std::string& path) {
  return read_file(std::filesystem::path(kSourceFolder) / path);
}

/// The text between the first occurrence of `from` and the next one of `to`.
std::string section(const std::string& text, const std::string& from, const std::string& to) {
  const std::size_t begin = text.find(from);
  EXPECT_NE(begin, std::string::npos) << from;
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find(to, begin + from.size()) - begin);
}

/// What stands in backticks in column `column` (from 0) of the rows of a document's tables.
Names names_in_tables(const std::string& text, int column) {
  Names names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] != '|') continue;
    std::istringstream cells(line.substr(1));
    std::string cell;
    for (int i = 0; i <= column; ++i) std::getline(cells, cell, '|');
    const std::regex quoted("`([^`]+)`");
    for (std::sregex_iterator at(cell.begin(), cell.end(), quoted), end; at != end; ++at) {
      names.insert((*at)[1]);
    }
  }
  return names;
}

Names names_of(bool tiles) {
  Names names;
  for (const codecs::Codec& codec : codecs::all_codecs()) {
    if (codec.tiles == tiles) names.emplace(codec.name);
  }
  return names;
}

TEST(Documents, TheCodecsPageHasEveryCodecInItsTable) {
  const std::string page = document("codecs/README.md");
  EXPECT_EQ(names_in_tables(section(page, "**Tile codecs**", "**Chunk codecs**"), 0),
            names_of(true));
  EXPECT_EQ(names_in_tables(section(page, "**Chunk codecs**", "\n## "), 0), names_of(false));
}

TEST(Documents, TheIndexFormatHasTheIdsOfListCodecs) {
  const std::string table = section(document("index/FORMAT.md"), "| id | codec | |", "\n\n");
  Names rows;
  const std::regex row("\\| ([0-9]+) \\| ([a-z0-9-]+) \\|");
  for (std::sregex_iterator at(table.begin(), table.end(), row), end; at != end; ++at) {
    rows.insert((*at)[1].str() + " " + (*at)[2].str());
  }
  Names expected;
  for (const codecs::ListCodec& codec : codecs::all_list_codecs()) {
    expected.insert(std::to_string(static_cast<std::uint32_t>(codec.id)) + " " +
                    std::string(codec.name));
  }
  EXPECT_EQ(rows, expected);
}

}  // namespace
}  // namespace gannet::test
