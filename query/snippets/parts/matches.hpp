// The tokens of a text that became terms of a query, or words of its phrases where these occur.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "index/index.hpp"
#include "index/text/analyzer.hpp"
#include "index/text/words/token_cache.hpp"
#include "query/snippets/parts/marked_terms.hpp"

namespace gannet::query {

/// A document of an index, whose main text is at hand.
struct IndexedText {
  const index::Index* index = nullptr;  ///< null: nothing is known of the text
  index::Docid docid = 0;
};

/// A token that is an item of the query. One that is several gives as many matches.
struct TermMatch {
  std::uint64_t begin = 0, end = 0;             ///< its bytes
  std::uint64_t first_char = 0, last_char = 0;  ///< the same in code points: [first, last)
  std::uint32_t item = 0;                       ///< MarkedTerms::worth()
};

/// Finds them. Both arguments must outlive it. Not thread-safe.
class MatchFinder {
 public:
  MatchFinder(const MarkedTerms& terms, const index::Analyzer& analyzer);

  /// Finds where the query's phrases occur in a text, if it has any; to be called before each() is
  /// for that text. Each raw token takes a place, also one that is dropped. Where the text is made
  /// of several values, `of` says which places they leave empty. Takes 4 bytes for each token
  /// that is a word of a phrase until the next call, and as many again meanwhile for words of
  /// several terms. Throws CancelledError after a stop request.
  void start(std::string_view text, IndexedText of, const std::stop_token& stop);

  /// Calls `on_match` for each, in the order of their ends; their beginnings ascend as well. They
  /// may overlap. Throws CancelledError after a stop request.
  void each(std::string_view text, const std::stop_token& stop,
            const std::function<void(const TermMatch&)>& on_match);

 private:
  /// The number of a word of the query, or MarkedTerms::kNone.
  std::uint32_t word_of(std::string_view token);
  void find_places(std::string_view text, IndexedText of, const std::stop_token& stop);
  void use_index(IndexedText of, std::uint64_t tokens);
  void mark_window(const MarkedTerms::Window& window, std::vector<std::uint32_t>& marked) const;
  template <class F>
  void each_item(std::uint32_t word, const F& on_item);

  const MarkedTerms& terms_;
  const index::Analyzer& analyzer_;
  index::Analyzer::Worker worker_;
  index::TokenCache cache_;
  std::vector<std::vector<std::uint32_t>> places_;  ///< by word that is in a window
  std::vector<std::vector<std::uint32_t>> marked_;  ///< by window: places of its occurrences
  std::vector<std::size_t> passed_;                 ///< by word, in places_
};

/// The matches of one text, to be gone through several times: kept if they are not too many, else
/// found again each time, so that memory stays bounded. Refers to what it is made of.
class TermMatches {
 public:
  TermMatches(MatchFinder& finder, std::string_view text, IndexedText of, std::stop_token stop);

  /// As MatchFinder::each().
  void each(const std::function<void(const TermMatch&)>& on_match) const;

 private:
  static constexpr std::size_t kMaxKept = std::size_t{1} << 16;

  MatchFinder& finder_;
  std::string_view text_;
  std::stop_token stop_;
  std::vector<TermMatch> kept_;
  bool all_kept_ = true;
};

}  // namespace gannet::query
