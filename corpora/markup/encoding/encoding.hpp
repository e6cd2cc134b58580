// Encodings of text, as the WHATWG Encoding standard names them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gannet::corpora {

/// Those of the standard, and three that are written in ASCII alone and which it does not decode.
enum class Encoding : std::uint8_t {
  kUtf8,
  kUtf16be,
  kUtf16le,
  // One byte a character.
  kIbm866,
  kIso88592,
  kIso88593,
  kIso88594,
  kIso88595,
  kIso88596,
  kIso88597,
  kIso88598,
  kIso88598I,
  kIso885910,
  kIso885913,
  kIso885914,
  kIso885915,
  kIso885916,
  kKoi8R,
  kKoi8U,
  kMacintosh,
  kWindows874,
  kWindows1250,
  kWindows1251,
  kWindows1252,
  kWindows1253,
  kWindows1254,
  kWindows1255,
  kWindows1256,
  kWindows1257,
  kWindows1258,
  kMacCyrillic,
  kUserDefined,
  // Several.
  kGbk,
  kGb18030,
  kBig5,
  kEucJp,
  kIso2022Jp,
  kShiftJis,
  kEucKr,
  kHz,
  kIso2022Cn,
  kIso2022Kr,
  // The label "replacement": of no use, as if there were none.
  kReplacement,
};
inline constexpr std::size_t kEncodings = static_cast<std::size_t>(Encoding::kReplacement) + 1;

/// What a label means by the standard's table, whatever its case and with white space around it:
/// "latin1" is windows-1252, "gb2312" GBK. Nothing for labels that are not in the table, and for
/// "replacement". Thread-safe.
std::optional<Encoding> encoding_called(std::string_view label);

/// That of the byte order mark with which a text begins; nothing if there is none.
std::optional<Encoding> encoding_marked(std::string_view text);

/// UTF-16 without a byte order mark, by the zero bytes that most of its first characters have;
/// nothing if the text does not look so, or is shorter than eight bytes.
std::optional<Encoding> utf16_without_mark(std::string_view text);

/// Why a text is none, if it looks like UTF-16 without a byte order mark, and how to convert it;
/// else empty. `has_option`: the command that reads it takes --encoding.
std::string looks_like_utf16(std::string_view text, bool has_option);

/// Bytes of the byte order mark of UTF-8 or UTF-16.
constexpr std::size_t size_of_mark(Encoding encoding) {
  return encoding == Encoding::kUtf8 ? 3 : 2;
}

/// The standard's name: "windows-1252".
std::string_view name_of(Encoding encoding);

/// Whether all of a text is UTF-8.
bool is_utf8(std::string_view text);

/// Why a text is not UTF-8, and what to do: "byte 17 (0xe9) is not UTF-8; ... --encoding ...".
/// Empty if it is.
std::string not_utf8(std::string_view text);

}  // namespace gannet::corpora
