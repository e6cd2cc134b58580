#include "query/language/unsupported.hpp"

#include <algorithm>

namespace gannet::query {
namespace {

using Position = std::size_t;
constexpr Position kNowhere = std::string_view::npos;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_number_part(char c) { return is_digit(c) || c == '.'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
/// Bytes that can be part of a term: letters and digits of any script.
bool is_term_part(char c) {
  return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

Position find_phrase(std::string_view word) { return word.starts_with('"') ? 0 : kNowhere; }

/// `mot"juste`, the beginning of a phrase that a word runs into; not `5"`.
Position find_inner_quote(std::string_view word) {
  for (Position at = word.find('"'); at != kNowhere; at = word.find('"', at + 1)) {
    const bool inside = at > 0 && at + 1 < word.size();
    if (inside && is_term_part(word[at - 1]) && is_term_part(word[at + 1])) return at;
  }
  return kNowhere;
}

/// `pre*`, `*fix`, `w*d`; not a `*` among signs.
Position find_wildcard(std::string_view word) {
  return std::ranges::any_of(word, is_term_part) ? word.find('*') : kNowhere;
}

/// `te?t`, `?est`; not `what?`, and not among the signs of `/a?q=1`.
Position find_single_wildcard(std::string_view word) {
  const auto is_plain = [](char c) {
    return is_term_part(c) || c == '?' || c == '-' || c == '_' || c == '.' || c == '\'';
  };
  if (!std::ranges::all_of(word, is_plain)) return kNowhere;
  for (Position at = word.find('?'); at != kNowhere; at = word.find('?', at)) {
    const Position behind = word.find_first_not_of('?', at);
    if (behind == kNowhere) return kNowhere;
    if (is_term_part(word[behind])) return at;
    at = behind;
  }
  return kNowhere;
}

/// `word~`, `word~0.5`: the mark behind a term, followed by nothing but a number.
Position find_fuzzy(std::string_view word) {
  const Position at = word.rfind('~');
  if (at == kNowhere || at == 0 || !is_term_part(word[at - 1])) return kNowhere;
  const std::string_view number = word.substr(at + 1);
  return std::ranges::all_of(number, is_number_part) ? at : kNowhere;
}

/// `title:word`, `title:(`; not `12:30`, `note:`, `std::vector`, `http://`, `c:\dir`.
Position find_field(std::string_view word, char next, bool has_fields) {
  const Position colon = word.find(':');
  if (colon == kNowhere || colon == 0 || !(is_letter(word[0]) || word[0] == '_')) return kNowhere;
  const auto is_name_part = [](char c) {
    return is_term_part(c) || c == '_' || c == '.' || c == '-';
  };
  if (!std::ranges::all_of(word.substr(0, colon), is_name_part)) return kNowhere;
  const char behind = colon + 1 < word.size() ? word[colon + 1] : next;
  const bool has_value = is_term_part(behind) || behind == '"' || behind == '(' || behind == '[';
  const bool compares = behind == '>' || behind == '<' || behind == '{' || behind == '*';
  return has_value || (has_fields && compares) ? colon : kNowhere;
}

std::string space_instead(char character) {
  return std::string("; if '") + character + "' is just text, put a space in its place";
}

}  // namespace

std::optional<Unsupported> find_unsupported(std::string_view word, char next, bool has_fields) {
  if (word == "&&") return Unsupported{0, "the operator is called AND, not '&&'"};
  if (word == "||") return Unsupported{0, "the operator is called OR, not '||'"};
  if (const Position at = find_phrase(word); at != kNowhere) {
    return Unsupported{at,
                       "phrases in quotation marks are not known; leave the marks out, or put + "
                       "before each word that must occur"};
  }
  if (const Position at = find_inner_quote(word); at != kNowhere) {
    return Unsupported{at, "phrases in quotation marks are not known" + space_instead('"')};
  }
  if (const Position at = find_field(word, next, has_fields); at != kNowhere) {
    return Unsupported{at,
                       "fields ('" + std::string(word.substr(0, at + 1)) +
                           "...') cannot be searched apart" + space_instead(':'),
                       true};
  }
  if (const Position at = find_wildcard(word); at != kNowhere) {
    return Unsupported{
        at, "prefixes and wildcards are not known; write the words out, with OR between them" +
                space_instead('*')};
  }
  if (const Position at = find_single_wildcard(word); at != kNowhere) {
    return Unsupported{at,
                       "wildcards ('?') are not known; write the words out, with OR between them" +
                           space_instead('?')};
  }
  if (const Position at = find_fuzzy(word); at != kNowhere) {
    return Unsupported{at,
                       "fuzzy words ('~') are not known; write the spellings out, with OR "
                       "between them" +
                           space_instead('~')};
  }
  return std::nullopt;
}

}  // namespace gannet::query
