#include "corpora/markup/html/references.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include "corpora/markup/encoding/utf8.hpp"
#include "corpora/markup/html/reference_names.hpp"

namespace gannet::corpora {
namespace {

constexpr std::uint32_t kNoBreakSpace = 0xa0;
constexpr std::uint32_t kNoCharacter = 0x110000;

constexpr bool names_are_sorted() {
  return std::is_sorted(
      kReferenceNames.begin(), kReferenceNames.end(),
      [](const ReferenceName& a, const ReferenceName& b) { return a.name < b.name; });
}
static_assert(names_are_sorted());

/// What numbers from 128 to 159 mean: the characters of windows-1252, by the HTML standard.
constexpr std::array<char16_t, 32> kWindows{
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x8D,   0x017D, 0x8F,   0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,   0x017E, 0x0178};

int digit_of(char c, bool hexadecimal) {
  if (c >= '0' && c <= '9') return c - '0';
  const char small = static_cast<char>(c | 0x20);
  return hexadecimal && small >= 'a' && small <= 'f' ? small - 'a' + 10 : -1;
}

std::uint32_t meant_by(std::uint32_t number) {
  if (number >= 0x80 && number < 0x80 + kWindows.size()) return kWindows[number - 0x80];
  if (number == kNoBreakSpace) return ' ';
  return number == 0 ? kNoCharacter : number;
}

/// Of `&#...`; 0 if it is none.
std::size_t append_number(std::string_view text, References which, std::string& out) {
  std::size_t at = 2;
  const bool hexadecimal = at < text.size() && (text[at] == 'x' || text[at] == 'X');
  if (hexadecimal) ++at;
  const std::size_t digits = at;
  std::uint32_t number = 0;
  for (; at < text.size(); ++at) {
    const int digit = digit_of(text[at], hexadecimal);
    if (digit < 0) break;
    number = std::min(number * (hexadecimal ? 16 : 10) + static_cast<std::uint32_t>(digit),
                      kNoCharacter);
  }
  const bool ends = at < text.size() && text[at] == ';';
  if (at == digits || (which == References::kWiki && !ends)) return 0;
  append_utf8(meant_by(number), out);
  return at + (ends ? 1 : 0);
}

/// The longest name that `text` begins with; null if there is none.
const ReferenceName* longest_name(std::string_view text) {
  // Of the names between two bounds, all begin with as much of the text as was looked at.
  const auto* first = kReferenceNames.begin();
  const auto* last = kReferenceNames.end();
  const ReferenceName* found = nullptr;
  for (std::size_t i = 0; i < text.size() && first != last; ++i) {
    first = std::partition_point(first, last, [&](const ReferenceName& known) {
      return known.name.size() <= i || known.name[i] < text[i];
    });
    last = std::partition_point(
        first, last, [&](const ReferenceName& known) { return known.name[i] <= text[i]; });
    if (first != last && first->name.size() == i + 1) found = first;
  }
  return found;
}

std::size_t append_name(std::string_view text, References which, std::string& out) {
  const ReferenceName* const name = longest_name(text.substr(1));
  if (name == nullptr || (which == References::kWiki && !name->name.ends_with(';'))) return 0;
  out += name->text;
  return 1 + name->name.size();
}

}  // namespace

std::size_t append_reference(std::string_view text, References which, std::string& out) {
  const std::size_t taken =
      text.starts_with("&#") ? append_number(text, which, out) : append_name(text, which, out);
  if (taken > 0) return taken;
  out += '&';
  return 1;
}

}  // namespace gannet::corpora
