// Random patterns and words, and slow definitions of what patterns match.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "query/inexact/code_points.hpp"

namespace gannet::test {

/// Up to `most` of the letters.
inline std::string random_word(std::mt19937& random, std::size_t most,
                               const std::vector<std::string>& letters) {
  std::string word;
  for (std::size_t n = random() % (most + 1); n > 0; --n)
    word += letters[random() % letters.size()];
  return word;
}

inline bool wildcard_matches(std::u32string_view pattern, std::u32string_view term) {
  if (pattern.empty()) return term.empty();
  if (pattern[0] == '*') {
    return wildcard_matches(pattern.substr(1), term) ||
           (!term.empty() && wildcard_matches(pattern, term.substr(1)));
  }
  return !term.empty() && (pattern[0] == '?' || pattern[0] == term[0]) &&
         wildcard_matches(pattern.substr(1), term.substr(1));
}

/// A random regular expression with a matcher of its own, which goes through sets of positions.
struct RandomRegex {
  std::string text;
  /// Behind which characters a match can end that begins behind one of `begins`.
  std::function<std::set<std::size_t>(const std::u32string& term,
                                      const std::set<std::size_t>& begins)>
      ends;

  bool matches(const std::string& term) const {
    const std::u32string points = query::code_points(term);
    return ends(points, {0}).contains(points.size());
  }
};

/// One character, for which `holds`.
inline RandomRegex character_regex(std::string text, std::function<bool(char32_t)> holds) {
  return {std::move(text), [holds = std::move(holds)](const auto& term, const auto& begins) {
            std::set<std::size_t> ends;
            for (const std::size_t at : begins) {
              if (at < term.size() && holds(term[at])) ends.insert(at + 1);
            }
            return ends;
          }};
}

inline RandomRegex repeated(const RandomRegex& part, const std::string& mark, std::size_t least,
                            std::size_t most) {
  return {part.text + mark, [=](const auto& term, const auto& begins) {
            std::set<std::size_t> at = begins;
            for (std::size_t i = 0; i < least; ++i) at = part.ends(term, at);
            std::set<std::size_t> all = at;
            // Behind as many rounds as the term has characters nothing new is reached.
            for (std::size_t i = least; i < std::min(most, least + term.size() + 1); ++i) {
              at = part.ends(term, at);
              all.insert(at.begin(), at.end());
            }
            return all;
          }};
}

inline RandomRegex any_atom(std::mt19937& random) {
  switch (random() % 10) {
    case 0:
      return character_regex(".", [](char32_t) { return true; });
    case 1:
      return character_regex("[ab]", [](char32_t c) { return c == 'a' || c == 'b'; });
    case 2:
      return character_regex("[^a]", [](char32_t c) { return c != 'a'; });
    case 3:
      return character_regex("[b-é]", [](char32_t c) { return c >= 'b' && c <= U'é'; });
    case 4:
      return character_regex("[^日c]", [](char32_t c) { return c != U'日' && c != 'c'; });
    case 5:
      return character_regex("é", [](char32_t c) { return c == U'é'; });
    case 6:
      return character_regex("日", [](char32_t c) { return c == U'日'; });
    default: {
      const char letter = static_cast<char>('a' + random() % 3);
      return character_regex(std::string(1, letter),
                             [letter](char32_t c) { return c == static_cast<char32_t>(letter); });
    }
  }
}

/// Groups are nested `depth` deep.
inline RandomRegex random_regex(std::mt19937& random, int depth) {
  constexpr std::size_t kNoLimit = 1'000'000;
  RandomRegex all{"", [](const auto&, const auto& begins) { return begins; }};
  for (std::size_t n = 1 + random() % 3; n > 0; --n) {
    RandomRegex part = any_atom(random);
    if (depth > 0 && random() % 3 == 0) {
      const RandomRegex one = random_regex(random, depth - 1);
      const RandomRegex other = random_regex(random, depth - 1);
      part = {"(" + one.text + "|" + other.text + ")", [=](const auto& term, const auto& begins) {
                std::set<std::size_t> ends = one.ends(term, begins);
                ends.merge(other.ends(term, begins));
                return ends;
              }};
    }
    switch (random() % 12) {
      case 0:
        part = repeated(part, "*", 0, kNoLimit);
        break;
      case 1:
        part = repeated(part, "+", 1, kNoLimit);
        break;
      case 2:
        part = repeated(part, "?", 0, 1);
        break;
      case 3:
        part = repeated(part, "{2}", 2, 2);
        break;
      case 4:
        part = repeated(part, "{1,3}", 1, 3);
        break;
      case 5:
        part = repeated(part, "{2,}", 2, kNoLimit);
        break;
      default:
        break;
    }
    all = {all.text + part.text, [all, part](const auto& term, const auto& begins) {
             return part.ends(term, all.ends(term, begins));
           }};
  }
  return all;
}

}  // namespace gannet::test
