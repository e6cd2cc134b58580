#include "query/language/word_shapes.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "index/fields/text_terms.hpp"
#include "query/language/source_text.hpp"

namespace gannet::query {
namespace {

using Position = std::size_t;
/// How far behind a word the end of a form is looked for, in bytes: who writes a range or a regular
/// expression closes it soon, and reading a query takes linear time.
constexpr std::size_t kReach = 256;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_number_part(char c) { return is_digit(c) || c == '.'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_field_letter(char c) { return is_term_part(c) || c == '_' || c == '.' || c == '-'; }

bool has_term_part(std::string_view word) { return std::ranges::any_of(word, is_term_part); }

char at_or_end(std::string_view text, std::size_t at) { return at < text.size() ? text[at] : '\0'; }

bool is_word_end(std::string_view text, std::size_t at) {
  return at >= text.size() || space_at(text, at) > 0 || text[at] == '(' || text[at] == ')';
}

/// What stands from byte `at` on, as far as forms are looked for.
std::string_view in_reach(std::string_view text, std::size_t at) {
  return text.substr(std::min(at, text.size()), kReach);
}

/// The digits at the end of NEAR/3, ADJ5, with or without the slash; or nothing.
bool is_distance(std::string_view text) {
  if (text.starts_with('/')) text.remove_prefix(1);
  return std::ranges::all_of(text, is_digit);
}

/// `TO`, with white space on both sides.
bool has_range_word(std::string_view text) {
  for (Position at = text.find("TO"); at != kNowhere; at = text.find("TO", at + 2)) {
    const bool apart = space_at(text, at + 2) > 0 && at > 0 &&
                       (text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == '\n' ||
                        static_cast<unsigned char>(text[at - 1]) >= 0x80);
    if (apart) return true;
  }
  return false;
}

/// Where the mark stands that a comparison begins with, behind `at`: the first byte behind `<`,
/// `<=`, `>` or `>=`.
std::size_t behind_comparison(std::string_view text, std::size_t at) {
  return at + (at_or_end(text, at + 1) == '=' ? 2 : 1);
}

/// Whether a word that begins with an apostrophe does so for what is left out: `'tis`, `'60s`.
bool is_elision(std::string_view word) {
  constexpr std::array<std::string_view, 14> kElisions{"tis",   "twas",  "twere",  "n",    "cause",
                                                       "em",    "round", "til",    "till", "bout",
                                                       "tween", "neath", "gainst", "cos"};
  std::string letters(word.substr(1));
  for (char& c : letters) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (letters.ends_with('\'')) letters.pop_back();  // rock 'n' roll
  return is_digit(at_or_end(letters, 0)) ||
         std::ranges::find(kElisions, letters) != kElisions.end();
}

/// Whether the apostrophe at `at` is that of `the dogs' bowls`: behind an s, and a word follows.
bool is_possessive(std::string_view text, std::size_t at) {
  const bool behind_s = at > 0 && (text[at - 1] == 's' || text[at - 1] == 'S');
  const Position next = skip_space(text, at + 1);
  return behind_s && next > at + 1 && is_term_part(at_or_end(text, next));
}

constexpr std::string_view kLow = "\u201E";          // „
constexpr std::string_view kLeft = "\u201C";         // “, which in German closes
constexpr std::string_view kRight = "\u201D";        // ”
constexpr std::string_view kLeftAngles = "\u00AB";   // «
constexpr std::string_view kRightAngles = "\u00BB";  // »
constexpr std::array kMarks{std::string_view("\""), kLow, kLeft, kRight, kLeftAngles, kRightAngles};

/// The quotation mark at a byte; empty if there is none.
std::string_view mark_at(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const auto* const found =
      std::ranges::find_if(kMarks, [&](std::string_view mark) { return rest.starts_with(mark); });
  return found == kMarks.end() ? std::string_view() : *found;
}

bool closes(std::string_view open, std::string_view mark) {
  if (open == kLow) return mark == kLeft || mark == kRight;
  if (open == kLeft || open == kRight) return mark == kRight;
  if (open == kLeftAngles) return mark == kRightAngles;
  return open == kRightAngles && (mark == kLeftAngles || mark == kRightAngles);
}

bool ends_phrase(std::string_view text, std::size_t at) {
  if (at >= text.size() || space_at(text, at) > 0 || text[at] == '(' || text[at] == ')')
    return true;
  if (text[at] == '*') return true;  // which is refused as behind straight marks
  const bool suffix = text[at] == '~' || text[at] == '^';
  if (!suffix) return false;
  const std::size_t next = at + 1;
  return next == text.size() || space_at(text, next) > 0 ||
         (text[next] >= '0' && text[next] <= '9');
}

}  // namespace

bool is_term_part(char c) {
  return is_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

std::size_t find_symbolic_and(const WordPlace& place) { return place.word.find("&&"); }

std::size_t find_symbolic_or(const WordPlace& place) { return place.word.find("||"); }

/// `!wing`, `!(`, `a!b`; not `wing!`, `!`, `!=`.
std::size_t find_exclamation(const WordPlace& place) {
  const std::string_view word = place.word;
  for (Position at = word.find('!'); at != kNowhere; at = word.find('!', at + 1)) {
    const Position behind = word.find_first_not_of('!', at);
    const char next = behind == kNowhere ? place.next() : word[behind];
    const bool negates = is_term_part(next) || next == '(' || next == '"';
    if (negates && (at == 0 || is_term_part(word[at - 1]))) return at;
    if (behind == kNowhere) return kNowhere;
    at = behind - 1;
  }
  return kNowhere;
}

/// `--wing`, `+-wing`, `-(`; not `--`.
std::size_t find_two_signs(const WordPlace& place) {
  const std::string_view word = place.word;
  if (!place.after_sign || (word.front() != '+' && word.front() != '-')) return kNowhere;
  const bool operand = has_term_part(word) || place.next() == '(';
  return operand ? 0 : kNowhere;
}

/// `mot"juste`, the beginning of a phrase that a word runs into; not `5"`.
std::size_t find_inner_quote(const WordPlace& place) {
  const std::string_view word = place.word;
  for (Position at = word.find('"'); at != kNowhere; at = word.find('"', at + 1)) {
    const bool inside = at > 0 && at + 1 < word.size();
    if (inside && is_term_part(word[at - 1]) && is_term_part(word[at + 1])) return at;
  }
  return kNowhere;
}

/// `'wing tip'`; not `'wing'`, nor words that begin or end with an apostrophe: `'tis the season for
/// dogs' bowls`.
std::size_t find_single_quotes(const WordPlace& place) {
  if (place.word.front() != '\'' || !is_term_part(at_or_end(place.word, 1))) return kNowhere;
  if (is_elision(place.word)) return kNowhere;
  const std::string_view rest = in_reach(place.text, place.begin);
  for (Position at = rest.find('\'', 1); at != kNowhere; at = rest.find('\'', at + 1)) {
    const char behind = at_or_end(rest, at + 1);
    const bool suffix = behind == '~' || behind == '*' || behind == '^';
    if (!suffix && (!is_word_end(rest, at + 1) || is_possessive(rest, at))) continue;
    return at >= place.word.size() ? 0 : kNowhere;
  }
  return kNowhere;
}

/// `[a TO b]`, `{a TO b}`, closed or not; not `[1]`, `[see there]`.
std::size_t find_range(const WordPlace& place) {
  const Position open = place.word.find_first_of("[{");
  if (open == kNowhere) return kNowhere;
  const std::string_view rest = in_reach(place.text, place.begin + open + 1);
  return has_range_word(rest.substr(0, rest.find_first_of("]}"))) ? open : kNowhere;
}

/// `IN [a b]`.
std::size_t find_set(const WordPlace& place) {
  if (place.word.starts_with("IN[")) return 0;
  if (place.word != "IN") return kNowhere;
  return at_or_end(place.text, skip_space(place.text, place.begin + 2)) == '[' ? 0 : kNowhere;
}

/// `{wing tip}`; not `{x}`.
std::size_t find_synonyms(const WordPlace& place) {
  if (place.word.front() != '{') return kNowhere;
  const std::string_view rest = in_reach(place.text, place.begin + 1);
  const Position close = rest.find('}');
  if (close == kNowhere) return kNowhere;
  const std::string_view inside = rest.substr(0, close);
  std::size_t words = 0;
  for (std::size_t at = skip_space(inside, 0); at < inside.size(); ++words) {
    while (at < inside.size() && space_at(inside, at) == 0) ++at;
    at = skip_space(inside, at);
  }
  return words > 1 && has_term_part(inside) ? 0 : kNowhere;
}

/// `>5`, `<=wing`, and the marks alone; not `->`, `<b>`, `>>`.
std::size_t find_comparison(const WordPlace& place) {
  const std::string_view word = place.word;
  if (place.after_sign || (word.front() != '<' && word.front() != '>')) return kNowhere;
  const std::size_t behind = behind_comparison(word, 0);
  const char next = at_or_end(word, behind);
  const bool tag = word.front() == '<' && is_letter(at_or_end(word, 1)) &&
                   in_reach(place.text, place.begin).find('>') != kNowhere;
  const bool compares =
      behind >= word.size() || is_term_part(next) || next == '-' || next == '.' || next == '"';
  return compares && !tag ? 0 : kNowhere;
}

/// `year>2000`, `year=2000`, if the index has a field of that name.
std::size_t find_field_comparison(const WordPlace& place) {
  const Position at = place.word.find_first_of("<>=");
  if (at == kNowhere || at == 0 || place.schema == nullptr) return kNowhere;
  const bool value = behind_comparison(place.word, at) < place.word.size();
  return value && place.schema->find(place.word.substr(0, at)) >= 0 ? at : kNowhere;
}

/// `year : 2000`, `year :2000`, if the index has a field of that name; not `the year : )`.
std::size_t find_apart_colon(const WordPlace& place) {
  constexpr std::string_view kValueMarks = "\"'([{<>*-";
  if (place.schema == nullptr || place.weighted) return kNowhere;
  const Position end = place.begin + place.word.size();
  const Position colon = skip_space(place.text, end);
  if (colon == end || at_or_end(place.text, colon) != ':') return kNowhere;
  const char value = at_or_end(place.text, skip_space(place.text, colon + 1));
  const bool has_value = is_term_part(value) || kValueMarks.find(value) != kNowhere;
  const bool field = place.schema->find(place.word) >= 0 ||
                     (place.word == index::kContentsField && place.schema->has_text());
  return has_value && field ? colon - place.begin : kNowhere;
}

std::size_t regex_size_at(std::string_view text, std::size_t at) {
  const std::string_view rest = in_reach(text, at);
  if (rest.size() < 3 || rest[0] != '/' || space_at(rest, 1) > 0) return 0;
  Position close = 1;
  while (close < rest.size() && rest[close] != '/') close += rest[close] == '\\' ? 2 : 1;
  if (close >= rest.size() || close == 1) return 0;
  if (rest.substr(1, close - 1).find_first_of(".*+?|^$\\()[]{}") == kNowhere) return 0;
  const char last = rest[close - 1];
  const char behind = at_or_end(rest, close + 1);
  const bool ends = last != ' ' && last != '\t' &&
                    (is_word_end(rest, close + 1) || behind == '^' || behind == '~');
  return ends ? close + 1 : 0;
}

/// `#combine(`, `#uw(`, `#0(`, `#combine:0=2:1=1(`; not `#1`, `#wing`. The lexer has read `#uw8(`.
std::size_t find_operator_call(const WordPlace& place) {
  const std::string_view word = place.word;
  const auto is_part = [](char c) {
    return is_letter(c) || is_number_part(c) || c == '_' || c == ':' || c == '=';
  };
  const bool call = word.size() > 1 && word.front() == '#' && place.next() == '(' &&
                    std::ranges::all_of(word.substr(1), is_part);
  return call ? 0 : kNowhere;
}

/// `NEAR`, `NEAR/0`, `ONEAR3`, `ADJ`, `ADJ3`, `XOR`. The lexer has read `NEAR/3`.
std::size_t find_proximity(const WordPlace& place) {
  if (place.after_sign || place.weighted) return kNowhere;
  for (const std::string_view name : {"NEAR", "ONEAR", "ADJ"}) {
    if (place.word.starts_with(name) && is_distance(place.word.substr(name.size()))) return 0;
  }
  return place.word == "XOR" ? 0 : kNowhere;
}

/// `(a b)~2`, `(a b)@2`, `(a b)^x`.
std::size_t find_group_suffix(const WordPlace& place) {
  const char first = place.word.front();
  const bool suffix = first == '~' || first == '@' || first == '^';
  return place.before() == ')' && suffix ? 0 : kNowhere;
}

/// `_exists_:title`.
std::size_t find_exists_field(const WordPlace& place) {
  const bool exists = place.word.starts_with("_exists_:") || place.word.starts_with("_missing_:");
  return exists ? 0 : kNowhere;
}

/// `title:word`, `title:(`, `year:>2000`; not `12:30`, `note:`, `std::vector`, `http://`, `c:\dir`,
/// `file:/tmp/`.
std::size_t find_field(const WordPlace& place) {
  const std::string_view word = place.word;
  const Position colon = word.find(':');
  if (colon == kNowhere || colon == 0 || !(is_letter(word[0]) || word[0] == '_')) return kNowhere;
  if (!std::ranges::all_of(word.substr(0, colon), is_field_letter)) return kNowhere;
  const std::string_view value = word.substr(colon + 1);
  const char first = value.empty() ? place.next() : value[0];
  const char second = at_or_end(value, 1);
  const bool has_value = is_term_part(first) || first == '"' || first == '(' || first == '[' ||
                         (first == '\'' && is_term_part(second)) ||
                         (first == '-' && is_digit(second));
  const bool compares = (first == '>' || first == '<' || first == '{') &&
                        (is_term_part(second) || second == '=' || second == '-' || second == '*');
  const bool exists = value == "*";
  const bool regex = is_regex_at(place.text, place.begin + colon + 1);
  return has_value || compares || exists || regex ? colon : kNowhere;
}

/// `wing.title`, if `title` is a text of the index.
std::size_t find_field_suffix(const WordPlace& place) {
  const Position dot = place.word.rfind('.');
  if (dot == kNowhere || dot == 0 || place.schema == nullptr) return kNowhere;
  const auto is_part = [](char c) { return is_letter(c) || static_cast<unsigned char>(c) >= 0x80; };
  if (!std::ranges::all_of(place.word.substr(0, dot), is_part)) return kNowhere;
  const int field = place.schema->find(place.word.substr(dot + 1));
  const bool text = field >= 0 && place.schema->fields()[static_cast<std::size_t>(field)].is_text();
  return text ? dot : kNowhere;
}

/// `\+wing`, `wing\:`, `wing\ tip`, `\(`; not `c:\dir`, `\alpha`, `\\host`.
std::size_t find_escape(const WordPlace& place) {
  constexpr std::string_view kSpecial = "+-&|!{}[]^\"~*?:/";
  const std::string_view word = place.word;
  for (Position at = word.find('\\'); at != kNowhere; at = word.find('\\', at + 1)) {
    const bool last = at + 1 == word.size();
    const char behind = last ? place.next() : word[at + 1];
    if (!last && kSpecial.find(behind) != kNowhere) return at;
    const bool joins = at > 0 && is_term_part(word[at - 1]) && behind == ' ';
    if (last && (behind == '(' || behind == ')' || joins)) return at;
    if (behind == '\\') ++at;
  }
  return kNowhere;
}

/// `*` alone, and `*:*` where it is no predicate: behind `title:`.
std::size_t find_everything(const WordPlace& place) {
  const bool stars = place.word.find_first_not_of('*') == kNowhere;
  return stars || place.word == "*:*" ? 0 : kNowhere;
}

/// `pre*`, `*fix`, `w*d`; not a `*` among signs.
std::size_t find_wildcard(const WordPlace& place) {
  return has_term_part(place.word) ? place.word.find('*') : kNowhere;
}

/// `te?t`, `?est`; not `what?`, and not among the signs of `/a?q=1`.
std::size_t find_single_wildcard(const WordPlace& place) {
  const std::string_view word = place.word;
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
std::size_t find_fuzzy(const WordPlace& place) {
  const std::string_view word = place.word;
  const Position at = word.rfind('~');
  if (at == kNowhere || at == 0 || !is_term_part(word[at - 1])) return kNowhere;
  return std::ranges::all_of(word.substr(at + 1), is_number_part) ? at : kNowhere;
}

/// `wing^abc`, `wing^2,5`, `wing^`, `wing ^2`; not `^`, `^_^`.
std::size_t find_false_weight(const WordPlace& place) {
  const Position at = place.word.find('^');
  if (at == 0 && is_digit(at_or_end(place.word, 1))) return 0;
  return at != kNowhere && has_term_part(place.word.substr(0, at)) ? at : kNowhere;
}

std::optional<Quotation> find_quotation(std::string_view text, std::size_t at) {
  const std::string_view open = mark_at(text, at);
  if (open.empty() || open == "\"") return std::nullopt;
  const std::size_t begin = at + open.size();
  std::size_t end = begin;
  while (end < text.size() && mark_at(text, end).empty()) ++end;
  if (end == text.size()) return std::nullopt;
  const std::string_view mark = mark_at(text, end);
  const std::size_t behind = end + mark.size();
  const bool empty = skip_space(text.substr(0, end), begin) == end;
  if (empty || !closes(open, mark) || !ends_phrase(text, behind)) return std::nullopt;
  return Quotation{begin, end, behind};
}

}  // namespace gannet::query
