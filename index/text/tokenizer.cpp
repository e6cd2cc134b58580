#include "index/text/tokenizer.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <string>

#include "codecs/error.hpp"
#include "index/text/dictionary_words.hpp"

namespace gannet::index {
namespace {

constexpr std::size_t kLongestRun = std::size_t{16} << 10;

bool is_ascii_alphanumeric(unsigned char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= 'a' && byte <= 'z');
}

bool is_ascii_space(unsigned char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

bool is_space(utf8proc_int32_t code_point, utf8proc_propval_t category) {
  return category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
         category == UTF8PROC_CATEGORY_ZP || code_point == 0x85;
}

bool is_letter_or_digit(utf8proc_propval_t category) {
  const bool letter = category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_LO;
  const bool digit = category >= UTF8PROC_CATEGORY_ND && category <= UTF8PROC_CATEGORY_NO;
  return letter || digit;
}

bool is_mark(utf8proc_propval_t category) {
  return category >= UTF8PROC_CATEGORY_MN && category <= UTF8PROC_CATEGORY_ME;
}

/// Code points first .. last.
struct Range {
  utf8proc_int32_t first, last;
};

template <std::size_t N>
bool is_in(const std::array<Range, N>& ranges, utf8proc_int32_t code_point) {
  const auto* const range =
      std::lower_bound(ranges.begin(), ranges.end(), code_point,
                       [](const Range& r, utf8proc_int32_t value) { return r.last < value; });
  return range != ranges.end() && range->first <= code_point;
}

/// Blocks with letters of Thai, Lao, Burmese and Khmer: those that ICU has dictionaries for.
constexpr std::array<Range, 5> kUnspacedScripts{{
    {0x0E00, 0x0EFF},
    {0x1000, 0x109F},
    {0x1780, 0x17FF},
    {0xA9E0, 0xA9FF},
    {0xAA60, 0xAA7F},
}};

/// Blocks with letters of Hangul, Hiragana, Katakana, Bopomofo and Han. Conjoining vowels and final
/// consonants (kHangulTails) are left out: they go on with a syllable.
constexpr std::array<Range, 16> kCjkScripts{{
    {0x1100, 0x115E},    // Hangul initial consonants
    {0x2E80, 0x2FDF},    // radicals
    {0x3005, 0x3007},    // iteration mark, closing mark, zero
    {0x3021, 0x3029},    // Hangzhou numerals
    {0x3031, 0x303C},    // repeat marks, Hangzhou numerals
    {0x3041, 0x31FF},    // kana, Bopomofo, compatibility Jamo
    {0x3400, 0x4DBF},    // Han, extension A
    {0x4E00, 0x9FFF},    // Han
    {0xA960, 0xA97F},    // Hangul initial consonants, extension A
    {0xAC00, 0xD7A3},    // Hangul syllables
    {0xF900, 0xFAFF},    // Han, compatibility
    {0xFF66, 0xFF9D},    // Katakana of half width
    {0xFFA1, 0xFFDC},    // Hangul of half width
    {0x16FE0, 0x16FE4},  // iteration marks
    {0x1AFF0, 0x1B16F},  // kana supplements
    {0x20000, 0x3FFFF},  // Han, extensions B and on
}};

/// Hangul vowels and final consonants, and the voicing marks of Katakana of half width, which
/// normalisation joins to the character before.
constexpr std::array<Range, 3> kCjkTails{{{0x1160, 0x11FF}, {0xD7B0, 0xD7FB}, {0xFF9E, 0xFF9F}}};

/// Invisible, and no end of a word: soft hyphen, joiners, marks of direction. Normalisation drops
/// them. The zero-width blank is between words.
bool is_ignorable(utf8proc_int32_t code_point, const utf8proc_property_t& property) {
  return property.ignorable != 0 && code_point != 0x200B;
}

}  // namespace

Tokenizer::Tokenizer(std::string_view name) : whitespace_(name != "unicode") {
  if (name != "unicode" && name != "whitespace" && name != "verbatim") {
    throw UsageError("no tokenizer is called '" + std::string(name) +
                     "'; there are unicode, whitespace, verbatim");
  }
  for (unsigned byte = 0; byte < 128; ++byte) {
    const auto character = static_cast<unsigned char>(byte);
    const bool token = whitespace_ ? !is_ascii_space(character) : is_ascii_alphanumeric(character);
    kinds_[byte] = token ? Kind::kToken : Kind::kSeparator;
  }
  for (unsigned byte = 128; byte < 256; ++byte) kinds_[byte] = Kind::kMultibyte;
}

Tokenizer::Character Tokenizer::classify(const char* at, const char* end) const {
  utf8proc_int32_t code_point = 0;
  const auto* const bytes = reinterpret_cast<const utf8proc_uint8_t*>(at);
  const utf8proc_ssize_t length = utf8proc_iterate(bytes, end - at, &code_point);
  if (length <= 0) return {Kind::kSeparator, 1};
  const auto size = static_cast<std::uint8_t>(length);
  const utf8proc_property_t& property = *utf8proc_get_property(code_point);
  if (whitespace_) {
    return {is_space(code_point, property.category) ? Kind::kSeparator : Kind::kToken, size};
  }
  if (is_letter_or_digit(property.category)) {
    if (code_point < kUnspacedScripts.front().first) return {Kind::kToken, size};
    if (is_in(kCjkTails, code_point)) return {Kind::kMark, size};
    if (is_in(kCjkScripts, code_point)) return {Kind::kCjk, size};
    return {is_in(kUnspacedScripts, code_point) ? Kind::kUnspaced : Kind::kToken, size};
  }
  const bool goes_on = is_mark(property.category) || is_ignorable(code_point, property);
  return {goes_on ? Kind::kMark : Kind::kSeparator, size};
}

const char* Tokenizer::end_of_run(const char* at, const char* end, Kind kind) const {
  while (at != end) {
    const Character character = character_at(at, end);
    if (character.kind != kind && character.kind != Kind::kMark) break;
    at += character.bytes;
  }
  return at;
}

const char* Tokenizer::end_of_character(const char* at, const char* end) const {
  return end_of_run(at + character_at(at, end).bytes, end, Kind::kMark);
}

std::vector<std::size_t> Tokenizer::dictionary_words(std::string_view run) {
  if (run.size() > kLongestRun) {
    std::size_t cut = kLongestRun;
    while ((static_cast<unsigned char>(run[cut]) & 0xC0) == 0x80) --cut;
    run = run.substr(0, cut);
  }
  return sizes_of_dictionary_words(run);
}

}  // namespace gannet::index
