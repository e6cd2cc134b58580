#include "corpora/documents/trec/sgml_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>

#include "corpora/markup/markup.hpp"

namespace gannet::corpora {
namespace {

constexpr std::string_view kCdata = "<![CDATA[";
constexpr std::string_view kCdataEnd = "]]>";

/// Between '&' and ';': no name of ours and no number of a character is longer.
constexpr std::size_t kLongestReference = 9;

std::optional<std::uint32_t> xml_name(std::string_view name) {
  if (name == "amp") return '&';
  if (name == "lt") return '<';
  if (name == "gt") return '>';
  if (name == "quot") return '"';
  if (name == "apos") return '\'';
  return std::nullopt;
}

/// "#233" or "#xe9". What is no character, and what ends a text in C, is none.
std::optional<std::uint32_t> xml_number(std::string_view name) {
  name.remove_prefix(1);
  const bool hexadecimal = name.starts_with('x') || name.starts_with('X');
  if (hexadecimal) name.remove_prefix(1);
  std::uint32_t number = 0;
  const char* const end = name.data() + name.size();
  const auto [rest, error] = std::from_chars(name.data(), end, number, hexadecimal ? 16 : 10);
  if (name.empty() || error != std::errc() || rest != end || number == 0) return std::nullopt;
  if (number > 0x10ffff || (number >= 0xd800 && number < 0xe000)) return std::nullopt;
  return number;
}

char* put_character(std::uint32_t c, char* out) {
  const auto tail = [&](unsigned shift) { *out++ = static_cast<char>(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) {
    *out++ = static_cast<char>(c);
  } else if (c < 0x800) {
    *out++ = static_cast<char>(0xc0 | c >> 6);
    tail(0);
  } else if (c < 0x10000) {
    *out++ = static_cast<char>(0xe0 | c >> 12);
    tail(6), tail(0);
  } else {
    *out++ = static_cast<char>(0xf0 | c >> 18);
    tail(12), tail(6), tail(0);
  }
  return out;
}

/// Decodes references in place; returns the new end.
char* decode_references(char* begin, char* end) {
  char* out = std::find(begin, end, '&');
  for (char* at = out; at != end;) {
    const std::string_view rest(at + 1, static_cast<std::size_t>(end - at - 1));
    const std::size_t length =
        *at == '&' ? rest.substr(0, kLongestReference + 1).find(';') : std::string_view::npos;
    std::optional<std::uint32_t> character;
    if (length != std::string_view::npos && length > 0) {
      const std::string_view name = rest.substr(0, length);
      character = name.front() == '#' ? xml_number(name) : xml_name(name);
    }
    if (character) {
      out = put_character(*character, out);
      at += length + 2;
    } else {
      *out++ = *at++;
    }
  }
  return out;
}

}  // namespace

char* sgml_text(std::string_view markup, char* out) {
  while (!markup.empty()) {
    const std::size_t begin = std::min(markup.find(kCdata), markup.size());
    out = decode_references(out, strip_tags(markup.substr(0, begin), out));
    markup.remove_prefix(begin);
    if (markup.empty()) break;
    markup.remove_prefix(kCdata.size());
    const std::size_t size = std::min(markup.find(kCdataEnd), markup.size());
    std::memmove(out, markup.data(), size);
    out += size;
    markup.remove_prefix(std::min(size + kCdataEnd.size(), markup.size()));
  }
  return out;
}

}  // namespace gannet::corpora
