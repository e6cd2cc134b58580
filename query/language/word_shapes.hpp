// Shapes of other query languages in the words of a query: where in a word, if at all, the mark
// stands that means something there.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "index/fields/schema.hpp"

namespace gannet::query {

/// No place in a word.
inline constexpr std::size_t kNowhere = std::string_view::npos;

/// A word of a query, and where it stands.
struct WordPlace {
  std::string_view text;  ///< the whole query
  std::size_t begin = 0;  ///< of the word, in bytes
  std::string_view word;  ///< up to white space or a parenthesis; without its weight
  const index::Schema* schema = nullptr;
  bool after_sign = false;  ///< `+`, `-` or `title:` stands before it
  bool weighted = false;    ///< a weight stands behind it

  /// What stands right behind the word; 0 at the end, or if that is a weight.
  char next() const {
    const std::size_t end = begin + word.size();
    return weighted || end >= text.size() ? '\0' : text[end];
  }
  char before() const { return begin == 0 ? '\0' : text[begin - 1]; }
};

/// What each of these looks for is in unsupported.cpp, where the forms are listed. They give the
/// place of the first character that is the matter, in bytes from the word's beginning, or
/// kNowhere. None looks further than a few hundred bytes behind the word.
using FindShape = std::size_t (*)(const WordPlace& place);

std::size_t find_symbolic_and(const WordPlace& place);
std::size_t find_symbolic_or(const WordPlace& place);
std::size_t find_exclamation(const WordPlace& place);
std::size_t find_two_signs(const WordPlace& place);
std::size_t find_inner_quote(const WordPlace& place);
std::size_t find_single_quotes(const WordPlace& place);
std::size_t find_range(const WordPlace& place);
std::size_t find_set(const WordPlace& place);
std::size_t find_synonyms(const WordPlace& place);
std::size_t find_comparison(const WordPlace& place);
std::size_t find_apart_colon(const WordPlace& place);
std::size_t find_field_comparison(const WordPlace& place);
std::size_t find_operator_call(const WordPlace& place);
std::size_t find_proximity(const WordPlace& place);
std::size_t find_group_suffix(const WordPlace& place);
std::size_t find_exists_field(const WordPlace& place);
std::size_t find_field(const WordPlace& place);
std::size_t find_field_suffix(const WordPlace& place);
std::size_t find_escape(const WordPlace& place);
std::size_t find_everything(const WordPlace& place);
std::size_t find_wildcard(const WordPlace& place);
std::size_t find_single_wildcard(const WordPlace& place);
std::size_t find_fuzzy(const WordPlace& place);
std::size_t find_false_weight(const WordPlace& place);

/// `/aero.+/` at byte `at` of a text: a slash, and the next one without a backslash before it
/// stands where a word ends, within 256 bytes, with a character between them that means something
/// in regular expressions. Not the slashes of `/usr/bin`, `/tmp/`, `/ a`, `and/or`. Gives its
/// bytes, slashes included; 0 if there is none.
std::size_t regex_size_at(std::string_view text, std::size_t at);
inline bool is_regex_at(std::string_view text, std::size_t at) {
  return regex_size_at(text, at) > 0;
}
/// Bytes that can be part of a term: letters and digits of any script.
bool is_term_part(char c);

/// A phrase in typographic quotation marks; places in bytes.
struct Quotation {
  std::size_t begin = 0;   ///< of what stands between the marks
  std::size_t end = 0;     ///< of the mark that closes it
  std::size_t behind = 0;  ///< of what follows that mark
};

/// The phrase that begins with the mark at byte `at`, where a word of the query begins: `“a b”`,
/// `„a b“`, `„a b”`, `”a b”`, `«a b»`, `»a b«`, `»a b»`. Texts that are pasted have such marks for
/// other purposes, too: it is none, but plain text, unless the next quotation mark of any kind
/// closes it, where a phrase may end: before white space, a parenthesis, the end, or `~` or `^` and
/// a digit. Nothing, too, if only white space is between them. O(bytes up to the next mark).
std::optional<Quotation> find_quotation(std::string_view text, std::size_t at);

}  // namespace gannet::query
