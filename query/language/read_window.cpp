#include "query/language/read_window.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "query/language/source_text.hpp"
#include "query/language/word_shapes.hpp"
#include "query/plan/synonyms.hpp"
#include "query/postings/made_list.hpp"

namespace gannet::query {
namespace {

/// The word that ends a text, without the white space behind it.
std::string_view last_word_of(std::string_view text) {
  std::string_view last;
  for (std::size_t at = skip_space(text, 0); at < text.size(); at = skip_space(text, at)) {
    const std::size_t begin = at;
    while (at < text.size() && space_at(text, at) == 0) ++at;
    last = text.substr(begin, at - begin);
  }
  return last;
}

/// Whether a phrase ends with the beginning of a word.
bool ends_with_beginning(std::string_view phrase) {
  const std::string_view last = last_word_of(phrase);
  return last.size() > 1 && last.back() == '*' && is_term_part(last[last.size() - 2]);
}

/// A raw token of what is written, with the bytes that it was made of.
struct RawToken {
  std::string text = {};  ///< the term that it becomes, or the token where it becomes none
  std::string_view from = {};
  bool has_term = false;  ///< not dropped by the analyzer

  const char* begin() const { return from.data(); }
  const char* end() const { return from.data() + from.size(); }
};

/// Whether `whole` begins with the token right before it, as 東京 does with 東: it stands nowhere
/// without that.
bool begins_with(const RawToken& whole, const RawToken& part) {
  return whole.begin() == part.begin() && whole.end() > part.end() &&
         whole.text.starts_with(part.text);
}
bool ends_with(const RawToken& whole, const RawToken& part) {
  return whole.end() == part.end() && whole.begin() < part.begin() &&
         whole.text.ends_with(part.text);
}

/// Whether the analyzer has pairs of characters such as `token` as words, and each character, too.
bool makes_pairs(const index::Analyzer& analyzer, const std::string& token) {
  const std::string twice = token + token;
  const char* covered = twice.data();
  bool overlap = false;
  analyzer.tokenize(twice, [&](std::string_view, std::string_view from) {
    overlap = overlap || from.data() < covered;
    covered = from.data() + from.size();
  });
  return overlap;
}

}  // namespace

std::optional<Syntax> prefix_of_phrase(const Syntax& phrase, const index::Analyzer& analyzer) {
  if (!ends_with_beginning(phrase.word)) return std::nullopt;
  Syntax prefix = phrase;
  prefix.kind = Syntax::Kind::kWildcard;
  prefix.word = last_word_of(phrase.word);
  const std::string_view stem = prefix.word.substr(0, prefix.word.size() - 1);
  RawToken last;
  analyzer.tokenize(stem, [&](std::string_view token, std::string_view from) {
    last = {std::string(token), from};
  });
  // Behind a mark that is no part of a word nothing begins: WordExpander says so.
  if (last.text.empty() || last.end() != stem.data() + stem.size()) return prefix;
  if (makes_pairs(analyzer, last.text)) return std::nullopt;
  prefix.word.remove_prefix(static_cast<std::size_t>(last.begin() - stem.data()));
  return prefix;
}

void WindowReader::Words::add(PhraseWord&& word, std::uint32_t place, bool is_implied,
                              std::string_view bytes) {
  from.push_back(bytes);
  words.push_back(std::move(word));
  places.push_back(place);
  implied.push_back(is_implied);
}

void WindowReader::Words::drop_implied() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (implied[i]) continue;
    if (kept < i) words[kept] = std::move(words[i]);
    from[kept] = from[i];
    places[kept++] = places[i];
  }
  words.resize(kept);
  from.resize(kept);
  places.resize(kept);
  implied.assign(kept, false);
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
                       "with them (without --no-positions and --tokenizer verbatim; in Python with "
                       "positions=True), or {}",
                       needs, otherwise));
}

/// What a plan refuses without a place in the query.
void WindowReader::check_terms(const Syntax& syntax, const Words& words) const {
  std::size_t terms = 0;
  for (const PhraseWord& word : words.words) terms += word.any_of.size();
  if (terms <= MadeList::kMaxTerms) return;
  fail(syntax.word, fmt::format("the words of '{}' stand for {} terms together, and those of a "
                                "phrase for {} at most; write more of the last word",
                                syntax.word, terms, MadeList::kMaxTerms));
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
  check_terms(syntax, words);
  const bool exact = syntax.window.is_exact();
  if (exact) words.drop_implied();
  const std::uint32_t most = exact ? kMaxPhraseWords : kMaxWindowWords;
  if (words.words.size() > most) {
    fail(syntax.word,
         fmt::format("{} has at most {} words, not {}{}",
                     exact ? "a phrase" : "a window of words near each other", most,
                     words.words.size(), exact ? "" : "; a phrase without ~ may have more"));
  }
  if (words.words.empty()) return {};
  const std::uint32_t first = words.places.front();  // words before it were dropped
  for (std::uint32_t& place : words.places) place -= first;
  if (words.words.size() == 1) return {std::move(words.words), {}};
  return {std::move(words.words), syntax.window.shape(std::move(words.places))};
}

std::vector<WindowReader::Pair> WindowReader::pairs(std::string_view written, std::uint32_t text,
                                                    const WrittenWindow& window) const {
  Words words;
  append(written, text, words);
  words.drop_implied();
  if (words.words.size() < 2) return {};
  check_positions(written, "pairs of words (sdm) need", "search for words alone");
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i + 1 < words.words.size(); ++i) {
    pairs.push_back({words.from[i].data(),
                     words.from[i + 1].data() + words.from[i + 1].size(),
                     {{words.words[i], words.words[i + 1]},
                      window.shape({0, words.places[i + 1] - words.places[i]})}});
  }
  return pairs;
}

const index::Analyzer& WindowReader::analyzer_of(std::uint32_t text) const {
  return text == index::kMainText ? analyzer_ : index_.text_analyzer(text);
}

/// Appends the terms of words without operators.
void WindowReader::append(std::string_view written, std::uint32_t text, Words& words) const {
  const bool guarded = text == index::kMainText && index_.schema().has_text();
  const index::Analyzer& analyzer = analyzer_of(text);
  index::Analyzer::Worker worker(analyzer);
  RawToken before;
  analyzer.tokenize(written, [&](std::string_view token, std::string_view from) {
    const std::string_view term = worker.term_of(token);
    const std::uint32_t place = words.next_place++;
    // Where there are text fields, the main text has no terms with a byte 0 (Planner::analyzed()).
    const bool has_term = !term.empty() && !(guarded && term.front() == '\0');
    // As terms: two characters may be one term together that they do not begin or end with.
    RawToken now{std::string(has_term ? term : token), from, has_term};
    if (has_term) {
      if (before.has_term && begins_with(now, before)) words.implied.back() = true;
      PhraseWord word;
      if (query_.synonyms != nullptr) word.any_of = query_.synonyms->of(text, term);
      if (word.any_of.empty()) word.any_of.emplace_back(term);
      words.add(std::move(word), place, before.has_term && ends_with(before, now), from);
    }
    before = std::move(now);
  });
}

/// The last word may be the beginning of one: `"solar pow*"`.
void WindowReader::append_phrase(const Syntax& syntax, std::uint32_t text, Words& words) const {
  const std::string_view phrase = syntax.word;
  const std::string_view last = last_word_of(phrase);
  const std::size_t begin =
      last.empty() ? 0 : static_cast<std::size_t>(last.data() - phrase.data());
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
  if (!ends_with_beginning(phrase)) return append(phrase, text, words);
  const std::optional<Syntax> prefix = prefix_of_phrase(syntax, analyzer_of(text));
  if (!prefix) return append(phrase.substr(0, begin + last.size() - 1), text, words);
  append(phrase.substr(0, static_cast<std::size_t>(prefix->word.data() - phrase.data())), text,
         words);
  auto expanded = expander_.expand(*prefix, text);
  if (!expanded) expander_.fail_spelling(*prefix);
  PhraseWord word{.text = expanded->spelling, .any_of = std::move(expanded->terms)};
  if (word.any_of.empty()) word.any_of.push_back(expanded->spelling);  // which is no term
  words.add(std::move(word), words.next_place++, false);
}

}  // namespace gannet::query
