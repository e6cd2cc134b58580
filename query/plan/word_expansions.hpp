// The terms that inexact words of queries stand for in a collection, told to its shards.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/index.hpp"
#include "query/plan/query.hpp"

namespace gannet::query {

/// A shard has terms that others lack. A word such as `aero*` or `wing~1` must stand for the terms
/// of all of them, or documents would get other scores than in one index:
///
///     query.expansions = std::make_shared<const WordExpansions>(expand_words(whole, queries));
///     plans = shard.plan(queries);                                // on each shard
///
/// Any number of threads may call const members at the same time.
class WordExpansions {
 public:
  /// An inexact word in one text, under limits of a query.
  struct Word {
    std::uint32_t text = index::kMainText;  ///< or the number of a text field
    std::string word = {};                  ///< as the query has it, `wing~1`
    std::uint32_t max_expansions = 0;       ///< Query::max_expansions
    std::uint32_t fuzzy_prefix = 0;         ///< Query::fuzzy_prefix
    auto operator<=>(const Word&) const = default;
  };
  struct Terms {
    /// Ascending; the first ones, if there are more than the query allows.
    std::vector<std::string> terms = {};
    std::uint64_t found = 0;  ///< how many there are in all
    bool operator==(const Terms&) const = default;
  };

  void add(Word word, Terms terms) { words_.insert_or_assign(std::move(word), std::move(terms)); }
  /// Null for a word that was not expanded. O(log words).
  const Terms* find(const Word& word) const;
  const std::map<Word, Terms>& words() const { return words_; }

  /// All of it, to be sent to other processes of the same version and byte order.
  std::string to_bytes() const;
  /// Throws FormatError for what to_bytes() does not give.
  static WordExpansions from_bytes(std::string_view bytes);

 private:
  std::map<Word, Terms> words_;
};

/// Expands the inexact words of queries of the query language with the terms of an index, each
/// once, in parallel on the calling thread's TBB arena. What is wrong with a query is not told
/// here: planning it tells. Throws FormatError for a damaged lexicon, CancelledError after a stop
/// request. Takes what matching_terms() takes (query/inexact/).
WordExpansions expand_words(const index::Index& index, std::span<const Query> queries,
                            const std::stop_token& stop = {});

}  // namespace gannet::query
