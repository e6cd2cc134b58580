// Expressions of the query language as trees, and all else that a question to an index has.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "query/plan/query.hpp"
#include "tests/soak/expressions/documents.hpp"

namespace gannet::oracle {

/// A condition on a document's number, keywords or texts.
struct Predicate {
  enum class Kind : std::uint8_t { kAll, kYear, kHasYear, kTags, kHasTags, kHasText };
  Kind kind = Kind::kAll;
  std::optional<std::int32_t> least = {};     ///< kYear; at least one of the two ends is there
  std::optional<std::int32_t> greatest = {};  ///< kYear; included, as the least is
  std::string tags = {};                      ///< kTags: one of these letters
  std::uint32_t text = 1;                     ///< kHasText: 1 or more
};

/// A node of the grammar in tools/docs/pages/queries.md.
struct Expression {
  enum class Kind : std::uint8_t {
    kWord,       ///< `words`, with hyphens between, which the analyzer takes apart
    kSynonym,    ///< SYNONYM(`words`)
    kPredicate,  ///< `predicate`
    kDropped,    ///< dots, of which analysis leaves nothing
    kGroup,      ///< `parts` side by side, in parentheses
    kAnd,        ///< two or more `parts`, which are neither kAnd nor kOr
    kOr,         ///< two or more `parts`, which are no kOr
  };
  Kind kind = Kind::kGroup;
  std::uint32_t nots = 0;                  ///< NOTs before it; 0 for kAnd and kOr
  char sign = ' ';                         ///< '+', '-' or ' '; ' ' for kAnd and kOr
  std::optional<std::uint32_t> text = {};  ///< of a word, SYNONYM or group: `f0:`
  float weight = 1;                        ///< of a word, SYNONYM or group: `^2`
  std::vector<Word> words = {};
  Predicate predicate = {};
  std::vector<Expression> parts = {};
};

/// A query with all of its options.
struct Question {
  Expression query = {};  ///< a kGroup
  query::Mode mode = query::Mode::kOr;
  /// Searched texts and their weights; empty: all, with the schema's weights.
  std::vector<std::pair<std::uint32_t, float>> texts = {};
  std::string scorer = "bm25";
  std::string parameters = {};
  std::optional<Expression> filter = {};  ///< a kGroup of predicates
  std::uint32_t k = 10;
  bool synonyms = false;  ///< words stand for those of kSynonymRules
  /// Hits are asked for from here on: the share of all hits that come before, 0 .. 1.
  std::optional<double> page = {};
  bool page_known = true;  ///< the number of hits before the page is told
};

/// Words that stand for one another, and words that stand for others.
inline constexpr const char* kSynonymRules = "w1, w4, w9\nw2, w7 => w7, w8\nw3 => w5\n";
/// What a word stands for by these rules, ascending; empty: itself.
std::vector<Word> synonyms_of(Word word);

/// The text of a query; without the parentheses of the outermost group.
std::string to_text(const Expression& group);
/// For messages: everything that repeats it.
std::string to_string(const Question& question);
/// The words of the query and their synonyms.
std::set<Word> words_of(const Question& question);
query::ScorerSpec scorer_of(const Question& question);
query::Query to_query(const Question& question, const index::Index& index,
                      const std::shared_ptr<const query::Synonyms>& synonyms);

/// Any question to the collection: flat queries of one to a hundred words, signs, formulas of any
/// depth, unions, predicates in every place, filters, all scorers.
Question random_question(const Collection& collection, std::mt19937& random);

/// Questions that are simpler by one step each.
std::vector<Question> simpler(const Question& question);

}  // namespace gannet::oracle
