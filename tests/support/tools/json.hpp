// Looking into what the command prints with --json.
#pragma once

#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>
#include <string_view>

namespace gannet::test {

/// The value at a JSON pointer, such as "/hits/0/id", as JSON text; fails the test if there is
/// none.
inline std::string json_at(const std::string& text, std::string_view pointer) {
  simdjson::dom::parser parser;
  simdjson::dom::element document;
  EXPECT_EQ(parser.parse(text).get(document), simdjson::SUCCESS) << text;
  simdjson::dom::element element;
  EXPECT_EQ(document.at_pointer(pointer).get(element), simdjson::SUCCESS)
      << pointer << " in " << text;
  std::string value = simdjson::minify(element);
  return value;
}

inline bool is_json(const std::string& text) {
  simdjson::dom::parser parser;
  return parser.parse(text).error() == simdjson::SUCCESS;
}

}  // namespace gannet::test
