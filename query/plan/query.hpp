// What a user asks for. plan.hpp has what becomes of it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/plan/filter.hpp"
#include "query/scoring/base/scorer_spec.hpp"

namespace gannet::query {

/// How terms without an operator between them combine.
enum class Mode { kOr, kAnd };
/// Their names, by value.
inline constexpr std::array<std::string_view, 2> kModeNames{"or", "and"};

/// What is wanted of the documents that match.
enum class Want {
  kTopK,    ///< the k best by score
  kCount,   ///< their number
  kDocids,  ///< their docids, ascending
};

/// A term that is taken as it is, with its weight.
struct VerbatimTerm {
  std::string term = {};
  float weight = 1;  ///< 0, or kMinWeight .. kMaxWeight (plan.hpp)
  bool operator==(const VerbatimTerm&) const = default;
};

/// A text that a query's words are searched in.
struct SearchField {
  std::string name = {};  ///< of a text field; "contents": the main text
  float weight = 1;       ///< of its scores: 0, or kMinWeight .. kMaxWeight (plan.hpp)
  bool operator==(const SearchField&) const = default;
};

/// One query as a user gives it. README.md of this folder has the language.
struct Query {
  std::string text = {};
  /// If there are any, they stand in place of the text, side by side; weights of a term that is
  /// repeated add up.
  std::vector<VerbatimTerm> terms = {};
  Mode mode = Mode::kOr;
  /// Where words are searched that do not name a text. A word matches if it is in any of them; its
  /// score is the sum of its scores there, times the weights. Empty: the main text, and the text
  /// fields that have a weight in the schema.
  std::vector<SearchField> search_fields = {};
  /// Of the documents that match, only those that pass it are results.
  Filter filter = {};
  Want want = Want::kTopK;
  /// 0 is allowed and gives no hits.
  std::uint32_t k = 10;
  /// The index's default if absent.
  std::optional<ScorerSpec> scorer = {};
  bool operator==(const Query&) const = default;
};

}  // namespace gannet::query
