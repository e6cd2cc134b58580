#include "query/inexact/code_points.hpp"

#include <algorithm>

namespace gannet::query {
namespace {

/// Bytes of the character that begins at `at`; 0 if none that is well-formed does (Unicode 15,
/// table 3-7).
std::size_t character_size(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const unsigned second = byte(1);
  const bool refused = (lead == 0xe0 && second < 0xa0) || (lead == 0xed && second > 0x9f) ||
                       (lead == 0xf0 && second < 0x90) || (lead == 0xf4 && second > 0x8f);
  return refused ? 0 : size;
}

char32_t decode(std::string_view character) {
  constexpr unsigned char kLeadBits[] = {0x7f, 0x1f, 0x0f, 0x07};
  char32_t code_point = static_cast<unsigned char>(character[0]) & kLeadBits[character.size() - 1];
  for (const char c : character.substr(1)) {
    code_point = code_point << 6 | (static_cast<unsigned char>(c) & 0x3f);
  }
  return code_point;
}

}  // namespace

std::u32string code_points(std::string_view text) {
  std::u32string points;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = character_size(text, at);
    points += size == 0 ? kLastCodePoint + 1 + static_cast<unsigned char>(text[at])
                        : decode(text.substr(at, size));
    at += std::max<std::size_t>(size, 1);
  }
  return points;
}

void append_utf8(char32_t code_point, std::string& text) {
  const auto byte = [&](char32_t bits) { text += static_cast<char>(bits); };
  if (code_point < 0x80) return byte(code_point);
  const auto rest = [&](unsigned shift) { byte(0x80 | (code_point >> shift & 0x3f)); };
  if (code_point < 0x800) {
    byte(0xc0 | code_point >> 6);
  } else if (code_point < 0x10000) {
    byte(0xe0 | code_point >> 12);
    rest(6);
  } else {
    byte(0xf0 | code_point >> 18);
    rest(12);
    rest(6);
  }
  rest(0);
}

CodePointSet CodePointSet::complement() const {
  CodePointSet others;
  char32_t next = 0;
  for (const CodePointRange& range : ranges()) {
    if (next < range.first) others.add(next, range.first - 1);
    next = range.last + 1;
  }
  if (next <= kLastCodePoint) others.add(next, kLastCodePoint);
  return others;
}

std::vector<CodePointRange> CodePointSet::ranges() const {
  std::vector<CodePointRange> sorted = ranges_;
  std::ranges::sort(sorted, {}, &CodePointRange::first);
  std::vector<CodePointRange> joined;
  for (const CodePointRange& range : sorted) {
    if (!joined.empty() && range.first <= joined.back().last + 1) {
      joined.back().last = std::max(joined.back().last, range.last);
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

}  // namespace gannet::query
