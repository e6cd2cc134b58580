// Queries: what a user asks, and the plan that the back ends run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/index.hpp"

namespace gannet::query {

/// How terms without an operator between them combine.
enum class Mode { kOr, kAnd };

/// What is wanted of the documents that match.
enum class Want {
  kTopK,    ///< the k best by BM25
  kCount,   ///< their number
  kDocids,  ///< their docids, ascending
};

/// One query as a user gives it.
struct Query {
  std::string text;
  Mode mode = Mode::kOr;
  Want want = Want::kTopK;
  std::uint32_t k = 10;     ///< 0 is allowed and gives no hits
  std::optional<float> k1;  ///< 0 .. 1e9; the index's default if absent
  std::optional<float> b;   ///< 0 .. 1; the index's default if absent
};

/// A node of the Boolean expression of a plan, in postfix order.
struct Node {
  enum class Kind : std::uint8_t { kTerm, kAnd, kOr, kNot };
  Kind kind;
  std::uint32_t
      operand;  ///< kTerm: index into Plan::terms; kAnd and kOr: how many operands to take
};

/// One distinct term of a plan.
struct PlanTerm {
  std::string text;                 ///< as analysed
  std::optional<index::TermId> id;  ///< absent: no document has it
  std::uint32_t document_frequency = 0;
  float weight = 0;    ///< idf * (k1 + 1) * occurrences in the query; 0 if it occurs only under NOT
  bool scored = true;  ///< false if it occurs only under NOT
  bool required = false;  ///< every matching document has it
};

/// What the back ends run: printable, and free of any back end.
///
/// A document matches if the expression holds for it. Its score is the sum, in the order of
/// `terms`, over the scored terms that it has, of score_posting() (scorer.hpp). An empty expression
/// matches nothing.
struct Plan {
  Want want = Want::kTopK;
  std::uint32_t k = 10;
  float k1 = 0.9f;
  float b = 0.4f;
  std::vector<PlanTerm> terms;
  std::vector<Node> expression;
  bool disjunction = false;     ///< the expression is the OR of all terms, each scored
  bool conjunction = false;     ///< the expression is the AND of all terms, each scored
  bool matches_absent = false;  ///< a document without any of the terms matches (pure negations)
};

/// Parses, analyses and plans a query.
///
/// Language: terms; `"..."` is not special (phrases come later); `+term` must, `-term` must not;
/// AND, OR, NOT in capitals; parentheses. NOT binds closer than AND, AND closer than OR; neighbours
/// without an operator combine by `mode`, except that `+` and `-` work on the clauses beside them
/// as in Lucene: with any `+` clause, the clauses without a sign are optional and only add to the
/// score. A word that analysis splits into several terms stands for these terms side by side. Stop
/// words and words without letters or digits vanish. A term that no document has makes its AND
/// empty and its OR ignore it. With `plain` the text has no operators at all: every character that
/// the tokenizer does not keep is a separator (for topics files).
///
/// Throws UsageError with position for unbalanced parentheses, a missing operand, k1 < 0 or not
/// finite, b outside 0..1.
Plan make_plan(const index::Index& index, index::Analyzer& analyzer, const Query& query,
               bool plain = false);

/// The plan as indented text, for `--explain` and logs.
std::string to_string(const Plan& plan);

}  // namespace gannet::query
