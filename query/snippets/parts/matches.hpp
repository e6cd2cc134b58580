// The tokens of a text that became terms of a query.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "index/text/analyzer.hpp"
#include "index/text/words/token_cache.hpp"
#include "query/snippets/parts/marked_terms.hpp"

namespace gannet::query {

/// A token that became a term of the query.
struct TermMatch {
  std::uint64_t begin = 0, end = 0;             ///< its bytes
  std::uint64_t first_char = 0, last_char = 0;  ///< the same in code points: [first, last)
  std::uint32_t term = 0;                       ///< the term's number in the plan
};

/// Finds them. Both arguments must outlive it. Not thread-safe.
class MatchFinder {
 public:
  MatchFinder(const MarkedTerms& terms, const index::Analyzer& analyzer);

  /// Calls `on_match` for each, in the order of their ends; their beginnings ascend as well. They
  /// may overlap. Throws CancelledError after a stop request.
  void each(std::string_view text, const std::stop_token& stop,
            const std::function<void(const TermMatch&)>& on_match);

 private:
  /// MarkedTerms::kNone for a token that is no term of the query.
  std::uint32_t term_of(std::string_view token);

  const MarkedTerms& terms_;
  const index::Analyzer& analyzer_;
  index::Analyzer::Worker worker_;
  index::TokenCache cache_;
};

/// The matches of one text, to be gone through several times: kept if they are not too many, else
/// found again each time, so that memory stays bounded. Refers to what it is made of.
class TermMatches {
 public:
  TermMatches(MatchFinder& finder, std::string_view text, std::stop_token stop);

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
