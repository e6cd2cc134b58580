#include "corpora/markup/references.hpp"

#include <libxml/HTMLparser.h>

#include <array>
#include <charconv>
#include <cstdint>

namespace gannet::corpora {
namespace {

/// No name of an entity is longer, and no number needs more digits.
constexpr std::size_t kLongestName = 16;
constexpr std::uint32_t kNoBreakSpace = 0xa0;
constexpr std::uint32_t kReplacement = 0xfffd;

void append_character(std::uint32_t c, std::string& out) {
  if (c == kNoBreakSpace) c = ' ';
  if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) c = kReplacement;
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | c >> 12);
    tail(6), tail(0);
  } else {
    out += static_cast<char>(0xf0 | c >> 18);
    tail(12), tail(6), tail(0);
  }
}

/// The character between '&' and ';'; 0 if it is none that is known.
std::uint32_t character_of(std::string_view name) {
  if (name.starts_with('#')) {
    name.remove_prefix(1);
    const bool hexadecimal = name.starts_with('x') || name.starts_with('X');
    if (hexadecimal) name.remove_prefix(1);
    std::uint32_t number = 0;
    const auto [end, error] =
        std::from_chars(name.data(), name.data() + name.size(), number, hexadecimal ? 16 : 10);
    if (name.empty() || error != std::errc() || end != name.data() + name.size()) return 0;
    return number == 0 ? kReplacement : number;
  }
  std::array<char, kLongestName + 1> terminated{};
  name.copy(terminated.data(), kLongestName);
  const auto* const entity = htmlEntityLookup(reinterpret_cast<const xmlChar*>(terminated.data()));
  return entity == nullptr ? 0 : entity->value;
}

}  // namespace

std::size_t append_reference(std::string_view text, std::string& out) {
  const std::size_t end = text.substr(0, kLongestName).find(';');
  if (end != std::string_view::npos && end > 1) {
    if (const std::uint32_t c = character_of(text.substr(1, end - 1)); c != 0) {
      append_character(c, out);
      return end + 1;
    }
  }
  out += '&';
  return 1;
}

}  // namespace gannet::corpora
