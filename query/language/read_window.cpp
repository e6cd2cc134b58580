#include "query/language/read_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "query/language/source_text.hpp"
#include "query/language/word_shapes.hpp"
#include "query/plan/synonyms.hpp"

namespace gannet::query {
namespace {

/// The beginning of the word that ends the text.
std::size_t last_word(std::string_view text) {
  std::size_t begin = 0;
  for (std::size_t at = skip_space(text, 0); at < text.size(); at = skip_space(text, at)) {
    begin = at;
    while (at < text.size() && space_at(text, at) == 0) ++at;
  }
  return begin;
}

/// The word that ends a phrase.
std::string_view last_word_of(std::string_view phrase) {
  std::string_view last = phrase.substr(last_word(phrase));
  while (!last.empty() && skip_space(last, last.size() - 1) == last.size()) last.remove_suffix(1);
  return last;
}

}  // namespace

std::optional<Syntax> prefix_of_phrase(const Syntax& phrase) {
  const std::string_view last = last_word_of(phrase.word);
  if (last.size() < 2 || last.back() != '*' || !is_term_part(last[last.size() - 2])) {
    return std::nullopt;
  }
  Syntax prefix = phrase;
  prefix.kind = Syntax::Kind::kWildcard;
  prefix.word = last;
  return prefix;
}

void WindowReader::fail(std::string_view at, const std::string& what) const {
  const SourceText source{query_.text};
  source.fail(static_cast<std::size_t>(at.data() - query_.text.data()), what);
}

void WindowReader::check_positions(std::string_view at, std::string_view needs,
                                   std::string_view otherwise) const {
  const auto has_positions = [](const auto& segment) { return segment->positions() != nullptr; };
  if (std::ranges::all_of(index_.segments(), has_positions)) return;
  fail(at, fmt::format("{} the positions of words, which this index does not have; build it anew "
                       "with them (without --no-positions; in Python with positions=True), or {}",
                       needs, otherwise));
}

Phrase WindowReader::read(const Syntax& syntax, std::uint32_t text) const {
  check_positions(syntax.word, "phrases and windows need",
                  "write + before each word that must occur");
  Words words;
  if (syntax.kind == Syntax::Kind::kPhrase) {
    append_phrase(syntax, text, words);
  } else {
    for (const Syntax& part : syntax.parts) append(part.word, text, words);
  }
  if (words.words.size() > kMaxWindowWords) {
    fail(syntax.word, fmt::format("a phrase or window has at most {} words, not {}",
                                  kMaxWindowWords, words.words.size()));
  }
  if (words.words.empty()) return {};
  const std::uint32_t first = words.places.front();  // words before it were dropped
  for (std::uint32_t& place : words.places) place -= first;
  if (words.words.size() == 1) return {std::move(words.words), {}};
  return {std::move(words.words), syntax.window.shape(std::move(words.places))};
}

std::vector<Phrase> WindowReader::pairs(std::string_view written, std::uint32_t text,
                                        const WrittenWindow& window) const {
  check_positions(written, "pairs of words (sdm) need", "search for words alone");
  Words words;
  append(written, text, words);
  std::vector<Phrase> pairs;
  for (std::size_t i = 0; i + 1 < words.words.size(); ++i) {
    pairs.push_back({{words.words[i], words.words[i + 1]},
                     window.shape({0, words.places[i + 1] - words.places[i]})});
  }
  return pairs;
}

/// Appends the terms of words without operators.
void WindowReader::append(std::string_view written, std::uint32_t text, Words& words) const {
  const bool main = text == index::kMainText;
  const bool guarded = main && index_.schema().has_text();  // Planner::analyzed()
  const index::Analyzer& analyzer = main ? analyzer_ : index_.text_analyzer(text);
  index::Analyzer::Worker worker(analyzer);
  analyzer.tokenize(written, [&](std::string_view token) {
    const std::string_view term = worker.term_of(token);
    const std::uint32_t place = words.next_place++;
    if (term.empty() || (guarded && term.front() == '\0')) return;
    PhraseWord& word = words.words.emplace_back();
    if (query_.synonyms != nullptr) word.any_of = query_.synonyms->of(text, term);
    if (word.any_of.empty()) word.any_of.emplace_back(term);
    words.places.push_back(place);
  });
}

/// The last word may be the beginning of one: `"solar pow*"`.
void WindowReader::append_phrase(const Syntax& syntax, std::uint32_t text, Words& words) const {
  const std::string_view phrase = syntax.word;
  const std::size_t begin = last_word(phrase);
  const std::string_view last = last_word_of(phrase);
  for (std::size_t at = phrase.find('*'); at != kNowhere; at = phrase.find('*', at + 1)) {
    const bool behind = at > 0 && is_term_part(phrase[at - 1]);
    const bool before = at + 1 < phrase.size() && is_term_part(phrase[at + 1]);
    const bool ends = at + 1 == begin + last.size();
    if ((behind && !ends) || before) {
      fail(phrase.substr(at),
           "in a phrase '*' stands behind the beginning of its last word; if it is just text, put "
           "a space in its place");
    }
  }
  const std::optional<Syntax> prefix = prefix_of_phrase(syntax);
  if (!prefix) return append(phrase, text, words);
  append(phrase.substr(0, begin), text, words);
  auto expanded = expander_.expand(*prefix, text);
  if (!expanded) expander_.fail_spelling(*prefix);
  PhraseWord& word = words.words.emplace_back();
  word.text = expanded->spelling;
  word.any_of = std::move(expanded->terms);
  if (word.any_of.empty()) word.any_of.push_back(expanded->spelling);  // which is no term
  words.places.push_back(words.next_place++);
}

}  // namespace gannet::query
