#include "query/language/expand_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "codecs/base/error.hpp"
#include "query/inexact/edit_distance.hpp"
#include "query/inexact/term_pattern.hpp"
#include "query/language/source_text.hpp"
#include "query/plan/word_expansions.hpp"

namespace gannet::query {
namespace {

/// `wing~1` as its parts.
struct FuzzyWord {
  explicit FuzzyWord(std::string_view written) {
    const std::size_t tilde = written.rfind('~');
    word = written.substr(0, tilde);
    if (tilde + 1 < written.size()) edits = static_cast<std::uint32_t>(written[tilde + 1] - '0');
  }
  std::uint32_t edits_for(std::size_t length) const {
    return edits ? *edits : TermPattern::usual_edits(length);
  }

  std::string_view word;
  std::optional<std::uint32_t> edits = {};
};

/// A pattern with a letter for each of its wildcards.
std::string filled(std::string_view pattern) {
  std::string text(pattern);
  for (char& c : text) {
    if (c == '*' || c == '?') c = 'a';
  }
  return text;
}

/// Whether the analyzer has pairs of characters as words, and the text is longer.
bool is_beyond_pairs(const index::Analyzer& analyzer, std::string_view text) {
  const char* covered = text.data();
  bool overlap = false;
  bool whole = false;
  analyzer.tokenize(text, [&](std::string_view, std::string_view place) {
    overlap = overlap || place.data() < covered;
    whole = whole || place.size() == text.size();
    covered = std::max(covered, place.data() + place.size());
  });
  return overlap && !whole;
}

/// Whether that is so of a part between wildcards.
bool has_part_beyond_pairs(const index::Analyzer& analyzer, std::string_view pattern) {
  for (std::size_t begin = 0; begin < pattern.size();) {
    const std::size_t end = std::min(pattern.find_first_of("*?", begin), pattern.size());
    if (is_beyond_pairs(analyzer, pattern.substr(begin, end - begin))) return true;
    begin = end + 1;
  }
  return false;
}

/// Whether the analyzer's tokens cover all that is written, one after the other: whether nothing in
/// it separates words.
bool can_be_spelled(const index::Analyzer& analyzer, std::string_view pattern) {
  const std::string text = filled(pattern);
  const char* covered = text.data();
  bool gap = false;
  analyzer.tokenize(text, [&](std::string_view, std::string_view place) {
    gap = gap || place.data() > covered;
    covered = std::max(covered, place.data() + place.size());
  });
  return !gap && covered == text.data() + text.size() && !has_part_beyond_pairs(analyzer, pattern);
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

}  // namespace

WordExpander::WordExpander(const index::Index& index, const index::Analyzer& analyzer,
                           const Query& query)
    : index_(index), analyzer_(analyzer), query_(query) {
  if (query.max_expansions < 1 || query.max_expansions > Query::kMaxExpansions) {
    throw UsageError(fmt::format("query: an inexact word may stand for 1 to {} terms, not {}",
                                 Query::kMaxExpansions, query.max_expansions));
  }
}

const index::Analyzer& WordExpander::analyzer_of(std::uint32_t text) const {
  return text == index::kMainText ? analyzer_ : index_.text_analyzer(text);
}

void WordExpander::fail(const Syntax& word, const std::string& what) const {
  const SourceText source{query_.text};
  source.fail(static_cast<std::size_t>(word.word.data() - query_.text.data()), what);
}

void WordExpander::fail_spelling(const Syntax& word) const {
  fail(word, fmt::format("no term of this index is spelled like '{}': its analyzer separates words "
                         "within it; write its parts as words of their own, in quotation marks "
                         "if they stand side by side, or a space where a mark is just text",
                         word.word));
}

void WordExpander::fail_number(const Syntax& word, std::uint64_t found) const {
  fail(word, fmt::format("'{}' stands for {} terms, and {} are allowed; write more of the word, or "
                         "allow more (--max-expansions, up to {})",
                         word.word, grouped(found), grouped(query_.max_expansions),
                         grouped(Query::kMaxExpansions)));
}

/// What a word says of the terms of one text.
struct WordExpander::Meaning {
  std::string spelling = {};                ///< ExpandedWord::spelling
  std::u32string fuzzy = {};                ///< of a fuzzy word: its characters
  std::optional<TermPattern> pattern = {};  ///< none: no term is meant
};

std::optional<WordExpander::Meaning> WordExpander::meaning_of(const Syntax& word,
                                                              std::uint32_t text) const {
  const index::Analyzer& analyzer = analyzer_of(text);
  const FoldText fold = [&](std::string_view part) { return analyzer.fold(part); };
  Meaning made;
  try {
    if (word.kind == Syntax::Kind::kRegex) {
      made.spelling = word.word;
      made.pattern = TermPattern::regex(word.word.substr(1, word.word.size() - 2), fold);
    } else if (word.kind == Syntax::Kind::kWildcard) {
      if (!can_be_spelled(analyzer, word.word)) return std::nullopt;
      made.spelling = fold(word.word);
      made.pattern = TermPattern::wildcard(word.word, fold);
    } else {
      const FuzzyWord written(word.word);
      if (!can_be_spelled(analyzer, written.word)) return std::nullopt;
      made.spelling = fold(written.word);
      made.fuzzy = code_points(made.spelling);
      if (made.fuzzy.empty()) return made;
      const std::uint32_t edits = written.edits_for(made.fuzzy.size());
      made.pattern = TermPattern::fuzzy(made.spelling, edits, query_.fuzzy_prefix);
    }
  } catch (const PatternTooLarge& error) {
    fail(word, error.what());
  }
  return made;
}

std::optional<MatchingTerms> WordExpander::find_terms(const Syntax& word,
                                                      std::uint32_t text) const {
  const std::optional<Meaning> meaning = meaning_of(word, text);
  if (!meaning) return std::nullopt;
  if (!meaning->pattern) return MatchingTerms{};
  return matching_terms(index_, text, *meaning->pattern, query_.max_expansions);
}

MatchingTerms WordExpander::known_terms(const Syntax& word, std::uint32_t text) const {
  const WordExpansions::Terms* const known = query_.expansions->find(
      {text, std::string(word.word), query_.max_expansions, query_.fuzzy_prefix});
  if (known == nullptr) {
    fail(word, fmt::format("the terms of '{}' in the whole collection are not given: expand the "
                           "words of the queries that are searched",
                           word.word));
  }
  return {known->terms, known->found};
}

std::optional<ExpandedWord> WordExpander::expand(const Syntax& word, std::uint32_t text) const {
  std::optional<Meaning> meaning = meaning_of(word, text);
  if (!meaning) return std::nullopt;
  ExpandedWord made{.spelling = std::move(meaning->spelling)};
  if (!meaning->pattern) return made;
  MatchingTerms matching =
      query_.expansions != nullptr
          ? known_terms(word, text)
          : matching_terms(index_, text, *meaning->pattern, query_.max_expansions);
  if (matching.found > query_.max_expansions) fail_number(word, matching.found);
  made.terms = std::move(matching.terms);
  const std::u32string& fuzzy = meaning->fuzzy;
  for (const std::string& term : made.terms) {
    if (fuzzy.empty()) break;
    const std::u32string points = code_points(term);
    const auto distance = static_cast<float>(edit_distance(fuzzy, points));
    made.weights.push_back(1.0f -
                           distance / static_cast<float>(std::min(fuzzy.size(), points.size())));
  }
  return made;
}

}  // namespace gannet::query
