#include "query/plan/phrase.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "query/plan/plan.hpp"
#include "query/postings/made_list.hpp"

namespace gannet::query {
namespace {

std::string word_text(const PhraseWord& word) {
  if (!word.text.empty()) return word.text;
  return word.any_of.size() == 1 ? word.any_of.front() : union_text(word.any_of);
}

/// The words with blanks between; in windows where order counts, with what was dropped.
std::string words_text(const Phrase& phrase, bool with_gaps) {
  std::string text;
  for (std::size_t i = 0; i < phrase.words.size(); ++i) {
    if (i > 0) text += " ";
    const std::uint32_t before = i == 0 ? 0 : phrase.window.places[i - 1] + 1;
    for (std::uint32_t at = before; with_gaps && at < phrase.window.places[i]; ++at) text += "? ";
    text += word_text(phrase.words[i]);
  }
  return text;
}

bool are_sorted(const std::vector<std::string>& terms) {
  return std::ranges::adjacent_find(terms, std::greater_equal<>()) == terms.end();
}

}  // namespace

std::string phrase_text(const Phrase& phrase) {
  const WindowShape& window = phrase.window;
  const bool together = window.kind == WindowKind::kNear && window.places.back() == 0;
  const std::string words = words_text(phrase, !together);
  switch (window.kind) {
    case WindowKind::kNear:
      if (together) return fmt::format("#uw{}({})", std::uint64_t{window.distance} + 1, words);
      return window.distance == 0 ? fmt::format("\"{}\"", words)
                                  : fmt::format("\"{}\"~{}", words, window.distance);
    case WindowKind::kGaps:
      return fmt::format("#od{}({})", window.distance, words);
    case WindowKind::kOrdered:
      break;
  }
  return fmt::format("ONEAR/{}({})", window.distance - window.places.back() + 1, words);
}

std::string phrase_key(const Phrase& phrase) {
  const WindowShape& window = phrase.window;
  std::string key = fmt::format("{} {}", static_cast<int>(window.kind), window.distance);
  for (std::size_t i = 0; i < phrase.words.size(); ++i) {
    key += fmt::format(" {} {}", window.places[i], phrase.words[i].any_of.size());
    for (const std::string& term : phrase.words[i].any_of) {
      key += fmt::format(" {} {}", term.size(), term);
    }
  }
  return key;
}

std::string phrase_problem(const Phrase& phrase) {
  const WindowShape& window = phrase.window;
  const std::uint32_t most = window.is_exact() ? kMaxPhraseWords : kMaxWindowWords;
  if (phrase.words.size() < 2 || phrase.words.size() > most) {
    return fmt::format("a phrase or window has 2 to {} words, not {}", most, phrase.words.size());
  }
  if (window.places.size() != phrase.words.size()) return "a phrase has a place for each word";
  const bool together = window.kind == WindowKind::kNear && window.places.back() == 0;
  const auto falls = [&](std::uint32_t one, std::uint32_t next) {
    return together ? next != one : next <= one;
  };
  const auto fall = std::ranges::adjacent_find(window.places, falls);
  if (window.places.front() != 0 || fall != window.places.end()) {
    return "the places of a phrase ascend from 0, or are all 0";
  }
  if (window.places.back() > kMaxWindowDistance || window.distance > 2 * kMaxWindowDistance) {
    return fmt::format("a window has at most {} places", kMaxWindowDistance);
  }
  if (window.kind == WindowKind::kOrdered && window.distance < window.places.back()) {
    return "an ordered window has a place for each word";
  }
  std::size_t terms = 0;
  for (const PhraseWord& word : phrase.words) {
    if (word.any_of.empty()) return "a word of a phrase has no term";
    if (!are_sorted(word.any_of)) return "the terms of a word are not ascending and distinct";
    terms += word.any_of.size();
  }
  if (terms > MadeList::kMaxTerms) {
    return fmt::format("the words of a phrase have at most {} terms, not {}", MadeList::kMaxTerms,
                       terms);
  }
  return {};
}

}  // namespace gannet::query
