// From a word that is inexactly known to the terms that it stands for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/index.hpp"
#include "index/text/analyzer.hpp"
#include "query/inexact/matching_terms.hpp"
#include "query/language/parse.hpp"
#include "query/plan/query.hpp"

namespace gannet::query {

/// What a word such as `aero*`, `/aero.*ic/` or `wing~1` is in one text of an index.
struct ExpandedWord {
  /// As the text's terms are folded, and of fuzzy words without `~1`.
  std::string spelling = {};
  /// The text's terms that match, ascending; no more than Query::max_expansions.
  std::vector<std::string> terms = {};
  /// Of a fuzzy word: of each term, 1 - distance / min(length of the word, length of the term), as
  /// Lucene's FuzzyQuery boosts terms; > 0. Else empty.
  std::vector<float> weights = {};
};

/// Expands the words of one query. They are matched with terms of the lexicon after the text's
/// analyzer has folded them: they are not split, not stemmed, and none is a stop word. Everything
/// that is passed must outlive it.
class WordExpander {
 public:
  /// Throws UsageError for limits of the query that are out of range.
  WordExpander(const index::Index& index, const index::Analyzer& analyzer, const Query& query);

  /// What `word`, a wildcard, regular expression or fuzzy word of the query's text, is in a text
  /// (index::kMainText, or the number of a text field). Nothing if no term of that text can be
  /// spelled like it, since the analyzer separates words within it. Throws QueryError for more
  /// terms than the query allows, for patterns that are too large, and for words that are not
  /// among Query::expansions, if there are some; FormatError for a damaged lexicon, CancelledError
  /// as the thread's StopScope says. Takes what matching_terms() takes.
  std::optional<ExpandedWord> expand(const Syntax& word, std::uint32_t text) const;

  /// The terms of the index, however many, of which Query::max_expansions are kept; the query's
  /// own expansions do not count. Else as expand().
  std::optional<MatchingTerms> find_terms(const Syntax& word, std::uint32_t text) const;

  /// Throws the QueryError of a word for which expand() gave nothing in any text.
  [[noreturn]] void fail_spelling(const Syntax& word) const;

 private:
  struct Meaning;
  std::optional<Meaning> meaning_of(const Syntax& word, std::uint32_t text) const;
  MatchingTerms known_terms(const Syntax& word, std::uint32_t text) const;
  const index::Analyzer& analyzer_of(std::uint32_t text) const;
  [[noreturn]] void fail(const Syntax& word, const std::string& what) const;
  [[noreturn]] void fail_number(const Syntax& word, std::uint64_t found) const;

  const index::Index& index_;
  const index::Analyzer& analyzer_;
  const Query& query_;
};

}  // namespace gannet::query
