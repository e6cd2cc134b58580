// Queries as users give them. make_plan() in plan.hpp makes plans of them.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/options/dependence.hpp"
#include "query/plan/filter.hpp"
#include "query/scoring/base/scorer_spec.hpp"

namespace gannet::query {

/// The operator between words that have none between them.
enum class Mode { kOr, kAnd };
/// The names of the Mode values, in their order.
inline constexpr std::array<std::string_view, 2> kModeNames{"or", "and"};

/// The kind of result that a query asks for.
enum class Want {
  kTopK,    ///< the k best by score
  kCount,   ///< the number of all documents that match
  kDocids,  ///< the docids of all documents that match, ascending
};

class Synonyms;        // synonyms.hpp
class WordExpansions;  // word_expansions.hpp

/// A term of the main text that is not analysed, with its weight.
struct VerbatimTerm {
  std::string term = {};  ///< as the lexicon has it
  float weight = 1;       ///< 0, or kMinWeight .. kMaxWeight (plan.hpp)
  bool operator==(const VerbatimTerm&) const = default;
};

/// A text that the words of a query are searched in.
struct SearchField {
  std::string name = {};  ///< the name of a text field; "contents": the main text
  float weight = 1;       ///< weight of its scores: 0, or kMinWeight .. kMaxWeight (plan.hpp); with
                          ///< BM25F at most index::kMaxTextWeight
  bool operator==(const SearchField&) const = default;
};

/// One query as a user gives it. The manual's page on queries has the language.
struct Query {
  std::string text = {};
  /// If not empty, the query has these terms, combined by `mode`, and `text` is ignored. The
  /// weights of a repeated term add up.
  std::vector<VerbatimTerm> terms = {};
  Mode mode = Mode::kOr;
  /// The texts in which words of `text` are searched that do not name a text themselves. A word
  /// matches if it is in any of the texts. Its score is the weighted sum of its scores in them;
  /// BM25F instead scores the weighted sum of its frequencies. Empty: the main text, and all text
  /// fields whose weight in the schema is not 0, with these weights.
  std::vector<SearchField> search_fields = {};
  /// Only documents that pass the filter are results.
  Filter filter = {};
  Want want = Want::kTopK;
  /// The largest number of hits for Want::kTopK; 0 gives no hits.
  std::uint32_t k = 10;
  /// nullopt: default_scorer() of the index.
  std::optional<ScorerSpec> scorer = {};
  /// Words of `text` stand for their synonyms too, scored as one term; `terms` do not. Null: none.
  /// They must have been made for the index that is searched.
  std::shared_ptr<const Synonyms> synonyms = {};
  /// A word of `text` that is inexactly known, such as `aero*` or `wing~1`, stands for at most so
  /// many terms of a text, 1 .. kMaxExpansions; more are an error, which says how many there are.
  std::uint32_t max_expansions = 1024;
  static constexpr std::uint32_t kMaxExpansions = 65'536;
  /// So many characters at the beginning of a fuzzy word are as they are written.
  std::uint32_t fuzzy_prefix = 0;
  /// Words of `text` that stand side by side, without operators, signs or weights of their own,
  /// also score as pairs; which documents match stays as it is. Needs an index with positions.
  /// Counts and docids do not use it. `terms` have no order: planning throws UsageError.
  std::optional<SequentialDependence> dependence = {};
  /// Where a part of a collection is searched: the terms of the whole that the inexact words of
  /// `text` stand for. Planning throws UsageError for a word that is not among them. Null: the
  /// terms of the index that is searched.
  std::shared_ptr<const WordExpansions> expansions = {};
  bool operator==(const Query&) const = default;
};

}  // namespace gannet::query
