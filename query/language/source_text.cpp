#include "query/language/source_text.hpp"

#include <algorithm>

#include "query/plan/query_error.hpp"

namespace gannet::query {

void SourceText::fail(std::size_t position, const std::string& what) const {
  const auto starts_character = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  };
  const auto before = text.substr(0, position);
  const auto column =
      static_cast<std::size_t>(1 + std::count_if(before.begin(), before.end(), starts_character));
  throw QueryError(std::string(subject) + ", column " + std::to_string(column) + ": " + what,
                   column);
}

namespace {

/// Of the white space in UTF-8 that begins with 0xe2: U+2000 to U+200B, U+2028, U+2029, U+202F,
/// U+205F.
bool is_general_punctuation_space(unsigned char second, unsigned char third) {
  if (second == 0x81) return third == 0x9f;
  return second == 0x80 &&
         ((third >= 0x80 && third <= 0x8b) || third == 0xa8 || third == 0xa9 || third == 0xaf);
}

}  // namespace

std::size_t space_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const auto first = static_cast<unsigned char>(byte(0));
  if (first == ' ' || (first >= '\t' && first <= '\r')) return 1;
  if (first < 0xc2) return 0;
  const auto second = static_cast<unsigned char>(byte(1));
  const auto third = static_cast<unsigned char>(byte(2));
  switch (first) {
    case 0xc2:
      return second == 0x85 || second == 0xa0 ? 2 : 0;
    case 0xe1:
      return second == 0x9a && third == 0x80 ? 3 : 0;  // U+1680
    case 0xe2:
      return is_general_punctuation_space(second, third) ? 3 : 0;
    case 0xe3:
      return second == 0x80 && third == 0x80 ? 3 : 0;  // U+3000
    case 0xef:
      return second == 0xbb && third == 0xbf ? 3 : 0;  // U+FEFF
    default:
      return 0;
  }
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  for (std::size_t size = space_at(text, at); size > 0; size = space_at(text, at)) at += size;
  return at;
}

}  // namespace gannet::query
