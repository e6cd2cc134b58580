// What the target `synonyms` tries: text is refused as synonyms, or its rules written with a
// backslash before every character give the same rules. The same for lists of stop words.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/fuzz/disagreement.hpp"
#include "bench/fuzz/parts/file_input.hpp"
#include "codecs/base/error.hpp"
#include "index/text/stop_words.hpp"
#include "query/plan/synonyms.hpp"

namespace gannet::fuzz {

inline void append_entries(const std::vector<std::string>& entries, std::string& text) {
  for (const std::string& entry : entries) {
    // A byte within a character is no character of its own.
    for (const char c : entry) {
      if (static_cast<unsigned char>(c) < 0x80) text += '\\';
      text += c;
    }
    text += ',';
  }
}

inline void check_synonyms(std::string_view text) {
  std::vector<query::SynonymRule> rules;
  try {
    rules = query::parse_synonyms(text, "input");
  } catch (const UsageError&) {
    return;
  }
  std::string written = "\n";  // at the beginning of a text, U+FEFF is no part of a word
  for (const query::SynonymRule& rule : rules) {
    need(!rule.from.empty(), "a rule has no word");
    append_entries(rule.from, written);
    if (!rule.to.empty()) written += "=>";
    append_entries(rule.to, written);
    written += '\n';
  }
  const auto again = query::parse_synonyms(written, "written");
  const auto same = [](const query::SynonymRule& a, const query::SynonymRule& b) {
    return a.from == b.from && a.to == b.to;
  };
  need(std::ranges::equal(rules, again, same), "written rules are read otherwise");
}

inline void check_stop_words(std::string_view text) {
  std::vector<std::string> words;
  try {
    words = index::parse_stop_words(text, "input");
  } catch (const UsageError&) {
    return;
  }
  std::string written = "\n";  // at the beginning of a text, U+FEFF is no part of a word
  for (const std::string& word : words) written += word + "\n";
  need(index::parse_stop_words(written, "written") == words, "words are read otherwise");
}

inline void try_synonyms(std::span<const std::uint8_t> input) {
  const std::string_view text = text_of(input);
  check_synonyms(text);
  check_stop_words(text);
}

}  // namespace gannet::fuzz
