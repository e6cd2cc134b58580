#include "corpora/markup/encoding/encoding.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <string>

#include "corpora/markup/encoding/labels.hpp"

namespace gannet::corpora {
namespace {

constexpr std::array<std::string_view, kEncodings> kEncodingNames{
    "UTF-8",          "UTF-16BE",       "UTF-16LE",     "IBM866",       "ISO-8859-2",
    "ISO-8859-3",     "ISO-8859-4",     "ISO-8859-5",   "ISO-8859-6",   "ISO-8859-7",
    "ISO-8859-8",     "ISO-8859-8-I",   "ISO-8859-10",  "ISO-8859-13",  "ISO-8859-14",
    "ISO-8859-15",    "ISO-8859-16",    "KOI8-R",       "KOI8-U",       "macintosh",
    "windows-874",    "windows-1250",   "windows-1251", "windows-1252", "windows-1253",
    "windows-1254",   "windows-1255",   "windows-1256", "windows-1257", "windows-1258",
    "x-mac-cyrillic", "x-user-defined", "GBK",          "gb18030",      "Big5",
    "EUC-JP",         "ISO-2022-JP",    "Shift_JIS",    "EUC-KR",       "HZ-GB-2312",
    "ISO-2022-CN",    "ISO-2022-KR",    "replacement"};

constexpr std::string_view kWhite = " \t\r\n\f";
constexpr std::size_t kLongestLabel = 32;

constexpr bool labels_are_sorted() {
  return std::is_sorted(
      kEncodingLabels.begin(), kEncodingLabels.end(),
      [](const EncodingLabel& a, const EncodingLabel& b) { return a.label < b.label; });
}
static_assert(labels_are_sorted());

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// How many of the bytes at even (or odd) places are zero.
std::size_t zeros(std::string_view text, std::size_t first) {
  std::size_t count = 0;
  for (std::size_t i = first; i < text.size(); i += 2) count += text[i] == '\0' ? 1 : 0;
  return count;
}

/// How many bytes a character of UTF-8 has that begins so.
std::size_t size_of_character(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

}  // namespace

std::optional<Encoding> encoding_called(std::string_view label) {
  const std::size_t begin = label.find_first_not_of(kWhite);
  if (begin == std::string_view::npos) return std::nullopt;
  label = label.substr(begin, label.find_last_not_of(kWhite) + 1 - begin);
  if (label.size() > kLongestLabel) return std::nullopt;
  std::string small(label);
  std::transform(small.begin(), small.end(), small.begin(), lower);
  const auto* const found =
      std::lower_bound(kEncodingLabels.begin(), kEncodingLabels.end(), small,
                       [](const EncodingLabel& a, const std::string& b) { return a.label < b; });
  if (found == kEncodingLabels.end() || found->label != small) return std::nullopt;
  if (found->encoding == Encoding::kReplacement) return std::nullopt;
  return found->encoding;
}

std::optional<Encoding> encoding_marked(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) return Encoding::kUtf8;
  if (text.starts_with("\xff\xfe")) return Encoding::kUtf16le;
  if (text.starts_with("\xfe\xff")) return Encoding::kUtf16be;
  return std::nullopt;
}

std::optional<Encoding> utf16_without_mark(std::string_view text) {
  constexpr std::size_t kLookedAt = 1024;
  constexpr std::size_t kShortest = 8;
  text = text.substr(0, kLookedAt);
  if (text.size() < kShortest) return std::nullopt;
  const std::size_t high_first = zeros(text, 0);
  const std::size_t low_first = zeros(text, 1);
  // Letters of Latin scripts, blanks and line ends have a zero byte each; text of one byte a
  // character has none, and binary data has them everywhere.
  const std::size_t most = text.size() / 2;
  if (low_first > most / 2 && high_first <= most / 16) return Encoding::kUtf16le;
  if (high_first > most / 2 && low_first <= most / 16) return Encoding::kUtf16be;
  return std::nullopt;
}

std::string looks_like_utf16(std::string_view text, bool has_option) {
  const auto encoding = utf16_without_mark(text);
  if (!encoding) return {};
  const std::string_view name = name_of(*encoding);
  const char* const label = *encoding == Encoding::kUtf16le ? "utf-16le" : "utf-16be";
  return fmt::format(
      "this looks like {0} without a byte order mark; {1}convert it: iconv -f {0} -t "
      "UTF-8",
      name, has_option ? fmt::format("say so (--encoding {}), or ", label) : "");
}

std::string_view name_of(Encoding encoding) {
  return kEncodingNames[static_cast<std::size_t>(encoding)];
}

bool is_utf8(std::string_view text) { return simdjson::validate_utf8(text); }

std::string not_utf8(std::string_view text) {
  if (is_utf8(text)) return {};
  std::size_t good = 0;
  while (good < text.size()) {
    const std::size_t size = size_of_character(text[good]);
    if (size > text.size() - good || !is_utf8(text.substr(good, size))) break;
    good += size;
  }
  return fmt::format(
      "byte {} (0x{:02x}) is not UTF-8; name the encoding of the text (--encoding windows-1252)",
      good + 1, static_cast<unsigned char>(text[good]));
}

}  // namespace gannet::corpora
