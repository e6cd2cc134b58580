// Corrections of words that a query may have misspelled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "query/options/search_options.hpp"
#include "query/plan/query.hpp"
#include "query/searcher.hpp"

namespace gannet::query {

/// A word of a query with the term that may have been meant.
struct CorrectedWord {
  std::size_t begin = 0;               ///< of the word, in bytes of the query
  std::string word = {};               ///< as the query has it
  std::string term = {};               ///< as the lexicon has it: a stem, where terms are stems
  std::uint32_t distance = 0;          ///< edit_distance() of the word's own term and this one
  std::uint64_t documents_before = 0;  ///< that have the word
  std::uint64_t documents = 0;         ///< that have the term
  bool operator==(const CorrectedWord&) const = default;
};

/// What may have been meant by a query.
struct Correction {
  std::string text = {};                  ///< the query with the terms in the words' places
  std::vector<CorrectedWord> words = {};  ///< one or more, in the query's order
  /// Documents that have all words of the corrected query, but those of which no document is.
  std::uint64_t documents = 0;
  bool operator==(const Correction&) const = default;
};

/// The likeliest correction of a query's words; nothing if none is likelier than the words as they
/// are. The query is not changed, and nothing but words is: no patterns, phrases, windows,
/// fields, operators, words behind a field's name, and none that must not occur.
///
/// Let n(w) be the number of documents that have w in any of the searched texts. An edit counts as
/// a factor of 100:
///   - A word is in question if 100 n(w) is at most the number of documents, its term has three
///     characters or more, and it has no digit. Its candidates are the terms c of the searched
///     texts within one edit, of words of six characters or more two, for which
///     n(c) >= 100^distance n(w), and n(c) >= 1. A term that the analyzer makes another one of is
///     no candidate. The five with the largest n(c) / 100^distance are looked at.
///   - Of a word that some document has, the word itself is a candidate, too, with distance 0.
///   - The words in question get those candidates together for which n(all) / 100^(sum of the
///     distances) is largest, where n(all) is the number of documents that have them and all other
///     words of the query of which there are documents. Of equal ones that with the smaller sum of
///     distances is taken, then that whose rarest term has more documents, then the first one in
///     bytewise order. Words are decided in the order of the query; the eight best choices for the
///     words so far go on (beam search).
/// The filter of the query does not count. The result is the same on every back end.
///
/// Takes a walk through the lexicon for each word in question, as of `word~2`, and up to 48 counts
/// of documents with all words for each, which are searched as a batch. `plain`: as of make_plan().
/// Throws what Searcher::plan() and Searcher::search() throw. Thread-safe.
std::optional<Correction> did_you_mean(const Searcher& searcher, const Query& query,
                                       bool plain = false, const SearchOptions& options = {});

}  // namespace gannet::query
