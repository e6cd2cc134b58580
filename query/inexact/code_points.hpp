// Unicode characters of patterns and terms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gannet::query {

inline constexpr char32_t kLastCodePoint = 0x10ffff;

/// The code points of UTF-8. A byte that is part of no well-formed character is a number of its
/// own, 0x110000 + byte, which no character has.
std::u32string code_points(std::string_view text);

/// A code point, no surrogate, as UTF-8.
void append_utf8(char32_t code_point, std::string& text);

/// Code points first .. last.
struct CodePointRange {
  char32_t first;
  char32_t last;
  bool operator==(const CodePointRange&) const = default;
};

/// A set of code points. Surrogates are none, so no set matches them.
class CodePointSet {
 public:
  void add(char32_t first, char32_t last) { ranges_.push_back({first, last}); }
  /// All characters but these.
  CodePointSet complement() const;
  /// Ascending, disjoint, none next to another.
  std::vector<CodePointRange> ranges() const;

 private:
  std::vector<CodePointRange> ranges_;  ///< in any order
};

}  // namespace gannet::query
