// The commands and options that the command says there are.
#pragma once

#include <simdjson.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/support/tools/command.hpp"

namespace gannet::test {

/// The members called `member` of the objects in the array `array`.
inline std::vector<std::string> members(const std::string& json, std::string_view array,
                                        std::string_view member) {
  std::vector<std::string> values;
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  EXPECT_EQ(parser.parse(json).get(document), simdjson::SUCCESS) << json;
  for (const simdjson::dom::element row : document[array].get_array()) {
    values.emplace_back(std::string_view(row[member]));
  }
  return values;
}

/// "help", "bench decode" as {"help"}, {"bench", "decode"}.
inline std::vector<std::string> words_of(const std::string& command) {
  std::istringstream stream(command);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// All commands, those with parts and their parts.
inline std::vector<std::string> named_commands() {
  return members(gannet({"help", "--json"}).out, "commands", "name");
}

/// The options of a command, without dashes; none of one that has parts.
inline std::vector<std::string> named_options(const std::string& command) {
  std::vector<std::string> words = words_of(command);
  words.insert(words.begin(), "help");
  words.emplace_back("--json");
  const Output help = gannet(words);
  return help.out.starts_with('{') ? members(help.out, "options", "name")
                                   : std::vector<std::string>{};
}

inline std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at) ++count;
  return count;
}

/// Whether the program is installed.
inline bool installed(const std::string& program) {
  return shell("command -v " + program).code == 0;
}

}  // namespace gannet::test
