// Elements of HTML.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace gannet::corpora {

// Inline elements may stand inside a word.
inline constexpr std::array<std::string_view, 26> kInlineElements{
    "a",      "abbr", "b",    "big",  "cite", "code", "dfn",   "em",   "font",
    "i",      "kbd",  "mark", "q",    "s",    "samp", "small", "span", "strike",
    "strong", "sub",  "sup",  "time", "tt",   "u",    "var",   "wbr"};
static_assert(std::is_sorted(kInlineElements.begin(), kInlineElements.end()));

/// `name` in small letters.
constexpr bool is_inline_element(std::string_view name) {
  return std::binary_search(kInlineElements.begin(), kInlineElements.end(), name);
}

}  // namespace gannet::corpora
