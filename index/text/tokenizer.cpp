#include "index/text/tokenizer.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "codecs/base/error.hpp"
#include "index/text/words/dictionary_words.hpp"

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

/// NFKC, but for the vowels that it takes apart and ICU's dictionaries have whole: Thai and Lao AM,
/// which is NIKHAHIT and AA.
constexpr std::string_view kThaiAmParts = "\u0E4D\u0E32";
constexpr std::string_view kThaiAm = "\u0E33";
constexpr std::string_view kLaoAmParts = "\u0ECD\u0EB2";
constexpr std::string_view kLaoAm = "\u0EB3";

constexpr auto kNormalForm =
    static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_COMPAT);

/// The code points of a valid character, or of some, in normal form; as they are if they are none.
std::string normal_form(std::string_view text) {
  utf8proc_uint8_t* form = nullptr;
  const auto size = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                 static_cast<utf8proc_ssize_t>(text.size()), &form, kNormalForm);
  if (size < 0) return std::string(text);
  std::string result(reinterpret_cast<const char*>(form), static_cast<std::size_t>(size));
  std::free(form);
  return result;
}

/// Text in another form, and where each of its bytes comes from.
class Mapped {
 public:
  void append(std::string_view form, std::size_t begin) {
    text_ += form;
    from_.insert(from_.end(), form.size(), begin);
  }
  void finish(std::size_t end) { from_.push_back(end); }
  /// Puts `whole` in the place of `parts`, everywhere.
  void join(std::string_view parts, std::string_view whole) {
    for (std::size_t at = text_.find(parts); at != std::string::npos; at = text_.find(parts, at)) {
      text_.replace(at, parts.size(), whole);
      const auto begin = from_.begin() + static_cast<std::ptrdiff_t>(at);
      from_.erase(begin + static_cast<std::ptrdiff_t>(whole.size()),
                  begin + static_cast<std::ptrdiff_t>(parts.size()));
      std::fill_n(begin, whole.size(), *begin);
      at += whole.size();
    }
  }

  std::string_view text() const { return text_; }
  /// Where what stands at `at` begins.
  std::size_t begin(std::size_t at) const { return from_[at]; }
  /// Where what stands before `at` (> 0) ends: at the next character from elsewhere.
  std::size_t end(std::size_t at) const {
    while (from_[at] == from_[at - 1]) ++at;
    return from_[at];
  }

 private:
  std::string text_;
  std::vector<std::size_t> from_;  // ascending; one more than bytes
};

/// What the compatibility form of a character has that the tokenizer asks for.
struct FormParts {
  bool words = false;       ///< letters or digits
  bool separators = false;  ///< what would end a token; fractions' strokes are not counted
};

constexpr utf8proc_int32_t kFractionSlash = 0x2044;

FormParts parts_of_form(utf8proc_int32_t code_point) {
  constexpr std::size_t kMax = 32;  // Unicode's longest has 18
  std::array<utf8proc_int32_t, kMax> form{};
  int boundary = 0;
  const auto count = utf8proc_decompose_char(code_point, form.data(), kMax, kNormalForm, &boundary);
  FormParts parts;
  for (utf8proc_ssize_t i = 0; i < count && i < static_cast<utf8proc_ssize_t>(kMax); ++i) {
    const utf8proc_propval_t category = utf8proc_get_property(form[i])->category;
    const bool word = is_letter_or_digit(category);
    parts.words = parts.words || word;
    parts.separators =
        parts.separators || (!word && !is_mark(category) && form[i] != kFractionSlash);
  }
  return parts;
}

/// Whether a character is read as its compatibility form: a sign that stands for letters or digits,
/// or a letter or digit that stands for more than such. What is raised is a sign about a word.
bool is_symbol(utf8proc_int32_t code_point, const utf8proc_property_t& property) {
  const utf8proc_propval_t type = property.decomp_type;
  if (type == 0 || is_mark(property.category)) return false;
  if (is_letter_or_digit(property.category)) return parts_of_form(code_point).separators;
  if (type == UTF8PROC_DECOMP_TYPE_SUPER || type == UTF8PROC_DECOMP_TYPE_SUB) return false;
  return parts_of_form(code_point).words;
}

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
  if (property.decomp_type != 0 && is_symbol(code_point, property)) return {Kind::kSymbol, size};
  if (is_letter_or_digit(property.category)) {
    if (code_point < kUnspacedScripts.front().first) return {Kind::kToken, size};
    if (is_in(kCjkTails, code_point)) return {Kind::kMark, size};
    if (is_in(kCjkScripts, code_point)) return {Kind::kCjk, size};
    // A number is no part of the words beside it (UAX 29), so that it is not cut with them.
    const bool letter = property.category <= UTF8PROC_CATEGORY_LO;
    const bool unspaced = letter && is_in(kUnspacedScripts, code_point);
    return {unspaced ? Kind::kUnspaced : Kind::kToken, size};
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

bool Tokenizer::is_symbol_behind(const char* start, const char* at, const char* end) const {
  return static_cast<std::size_t>(at - start) <= kLongestRun &&
         classify(at, end).kind == Kind::kSymbol;
}

const char* Tokenizer::end_of_stretch(const char* at, const char* end) const {
  const char* const start = at;
  while (at != end && static_cast<std::size_t>(at - start) <= kLongestRun + 4) {
    const Character character = character_at(at, end);
    if (character.kind == Kind::kSeparator) break;
    at += character.bytes;
  }
  return at;
}

Tokenizer::Pieces Tokenizer::expanded(std::string_view stretch) const {
  Mapped mapped;
  const char* const end = stretch.data() + stretch.size();
  for (const char* at = stretch.data(); at != end;) {
    const Character character = character_at(at, end);
    const std::string_view bytes(at, character.bytes);
    const auto place = static_cast<std::size_t>(at - stretch.data());
    if (character.kind == Kind::kSymbol) {
      mapped.append(normal_form(bytes), place);
    } else {
      mapped.append(bytes, place);
    }
    at += character.bytes;
  }
  mapped.finish(stretch.size());
  Pieces pieces;
  // The forms hold no more symbols: this is as deep as it gets.
  split(mapped.text(), [&](std::string_view token, std::string_view place) {
    const auto begin = static_cast<std::size_t>(place.data() - mapped.text().data());
    pieces.add(token, mapped.begin(begin), mapped.end(begin + place.size()));
  });
  return pieces;
}

std::string_view Tokenizer::front_of_run(std::string_view run) {
  if (run.size() <= kLongestRun) return run;
  std::size_t cut = kLongestRun;
  while ((static_cast<unsigned char>(run[cut]) & 0xC0) == 0x80) --cut;
  return run.substr(0, cut);
}

Tokenizer::Pieces Tokenizer::dictionary_words(std::string_view run) const {
  Mapped mapped;
  const char* const end = run.data() + run.size();
  for (const char* at = run.data(); at != end;) {
    const char* const next = end_of_character(at, end);
    mapped.append(normal_form(view(at, next)), static_cast<std::size_t>(at - run.data()));
    at = next;
  }
  mapped.finish(run.size());
  mapped.join(kThaiAmParts, kThaiAm);
  mapped.join(kLaoAmParts, kLaoAm);
  Pieces pieces;
  std::size_t begin = 0;
  for (const std::size_t size : sizes_of_dictionary_words(mapped.text())) {
    pieces.add(mapped.text().substr(begin, size), mapped.begin(begin), mapped.end(begin + size));
    begin += size;
  }
  return pieces;
}

}  // namespace gannet::index
