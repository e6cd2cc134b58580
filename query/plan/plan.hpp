// Plans: what the back ends run. A plan is data, printable, and free of any back end.
//
// It carries everything that a score depends on: the statistics of the collection it was made for,
// each term's document frequency, the scorer and its parameters. Back ends compute none of it
// again, so the same plan gives a document the same score on every segment, shard and processor.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "index/index.hpp"
#include "query/plan/filter.hpp"
#include "query/plan/node.hpp"
#include "query/plan/query.hpp"
#include "query/plan/term_binding.hpp"
#include "query/scoring/base/constants.hpp"
#include "query/scoring/base/scorer_spec.hpp"
#include "query/scoring/base/statistics.hpp"

namespace gannet::query {

class PlanTimes;

/// A term of a query with what the collection knows about it.
struct QueryTerm {
  /// As analysed.
  std::string text = {};
  /// Documents of the collection that have it.
  std::uint64_t document_frequency = 0;
  /// Its weight in the query: the sum over its occurrences under an even number of negations. 0: it
  /// is not scored, and only decides what matches; else kMinWeight .. kMaxWeight.
  float weight = 0;
  /// How often it occurs in the collection: at least document_frequency; 0 counts as that.
  std::uint64_t collection_frequency = 0;
  /// The text that it is searched in: the main one, or the number of a text field in the schema.
  std::uint32_t field = index::kMainText;

  /// What lexicons have it under.
  std::string key() const { return index::text_key(field, text); }
};

/// A text field that a plan may search: its name, and what the collection has of it.
struct PlanText {
  std::string name = {};  ///< empty: the field is no text
  index::TextStatistics statistics = {};
  bool operator==(const PlanText&) const = default;
};

/// A word of a query in one of the texts that BM25F adds up over.
struct WordTerm {
  std::uint32_t term = 0;  ///< number among the plan's terms
  float weight = 1;        ///< of the text, > 0
  bool operator==(const WordTerm&) const = default;
};

/// A word of a query that is searched in several texts, for BM25F.
struct QueryWord {
  std::vector<WordTerm> terms = {};  ///< one or more, ascending
  float weight = 1;                  ///< in the query; > 0
  /// Documents that have any of the terms.
  std::uint64_t document_frequency = 0;
};

/// All numbers of a plan that a collection has, and a query has not: sums over its documents. What
/// shards have of it adds up to what the whole has (batch_statistics.hpp).
struct PlanStatistics {
  CollectionStatistics collection = {};
  std::vector<index::TextStatistics> texts = {};  ///< as many as the plan has texts
  std::vector<TermStatistics> terms = {};         ///< of its terms
  std::vector<std::uint64_t> words = {};          ///< documents that have any term of each word
};

/// A term of a plan: what it was made from, and what follows.
struct PlanTerm : QueryTerm {
  /// What its contributions are computed from.
  TermConstants constants = {};
  /// Every document that matches has it.
  bool required = false;
  /// What contributions of all terms of its text are computed from.
  PlanConstants shared = {};
  bool scored() const { return weight > 0; }
};

/// Weights of terms and the largest collection that are accepted: with them every contribution of a
/// scored term is > 0 and no score overflows, whatever the lengths and frequencies.
inline constexpr float kMinWeight = 1e-6f;
inline constexpr float kMaxWeight = 1e9f;
inline constexpr std::uint64_t kMaxDocuments = std::uint64_t{1} << 48;

struct Formula;

/// A document matches if the expression holds for it and it passes the filter, whatever the filter:
/// scores and statistics are those of the whole collection. Its score is the sum, in the order of
/// the terms, over the scored terms that it has, of contribution() (scorer.hpp). An empty
/// expression matches nothing. Immutable but for bind(); any number of threads may read it. Cheap
/// to copy: copies share all but what is wanted of the documents.
class Plan {
 public:
  /// What a plan is made from.
  struct Parts {
    Want want = Want::kTopK;
    std::uint32_t k = 10;
    ScorerSpec scorer = {};
    CollectionStatistics collection = {};
    /// Distinct, in the order in which contributions are added.
    std::vector<QueryTerm> terms = {};
    /// Postfix, over numbers of `terms`; empty: nothing matches.
    std::vector<Node> expression = {};
    /// Documents that do not pass it are no candidates. It adds nothing to scores.
    Filter filter = {};
    /// Those of the expression's nodes.
    std::vector<Filter> predicates = {};
    /// By number of the schema; may be empty if no term is of a text field.
    std::vector<PlanText> texts = {};
    /// Of a plan for BM25F whose words are scored by sums over texts: all of its scores. Empty:
    /// every term is scored by itself.
    std::vector<QueryWord> words = {};
  };

  /// Matches nothing.
  Plan() = default;

  /// Derives constants and flags from the parts; the expression is brought to normal form
  /// (README.md). Throws UsageError for a scorer_problem(), a weight out of range, more documents
  /// than kMaxDocuments, a document frequency above the number of documents, or an expression that
  /// is malformed or nested more than kMaxDepth deep.
  explicit Plan(Parts parts);

  /// How deep operators may be nested.
  static constexpr std::uint32_t kMaxDepth = 1000;

  Want want() const { return want_; }
  std::uint32_t k() const { return k_; }
  /// This plan for `k` hits.
  Plan with_k(std::uint32_t k) const;
  /// This plan, asked for `want`.
  Plan with_want(Want want) const;
  PlanStatistics statistics() const;
  /// This plan with the statistics of another collection: what make_plan() would have made
  /// there, but for deleted documents. It stays bound to its index. Throws UsageError for
  /// statistics that have not as many terms, texts or words as the plan, or that no collection has.
  Plan with_statistics(const PlanStatistics& statistics) const;
  /// This plan for documents that are not deleted. make_plan() makes such plans where documents are
  /// deleted.
  Plan with_live() const;
  /// Whether no deleted document passes the filter.
  bool live() const;
  const ScorerSpec& scorer() const { return content().parts.scorer; }
  const CollectionStatistics& collection() const { return content().parts.collection; }
  const std::vector<PlanTerm>& terms() const { return content().terms; }
  /// In normal form: operators take two operands, and evaluating it takes a stack of at most
  /// kMaxStack (node.hpp).
  const std::vector<Node>& expression() const { return content().parts.expression; }
  const Filter& filter() const { return content().parts.filter; }
  /// Filters that are a part of the expression: `a OR year:2000`.
  const std::vector<Filter>& predicates() const { return content().parts.predicates; }
  const std::vector<PlanText>& texts() const { return content().parts.texts; }
  /// Scores are these words', and not sums over the terms.
  const std::vector<QueryWord>& words() const { return content().parts.words; }
  /// The statistics that a term is scored by: those of its text.
  CollectionStatistics collection_of(const QueryTerm& term) const;
  /// The scorer with the parameters for a term's text.
  ScorerSpec scorer_of(const QueryTerm& term) const;
  /// The query says what must or must not occur: it has `+`, `-`, AND or NOT, or the mode AND. If
  /// it is expanded, it finds what it found, and the new terms only rank. Only make_plan() knows
  /// it.
  bool has_operators() const { return content().has_operators; }
  /// Some term is of a text field.
  bool has_text_fields() const { return content().has_text_fields; }
  /// Whether columns decide what matches.
  bool asks_fields() const { return !filter().is_all() || !predicates().empty(); }

  /// What contributions of all terms of the main text are computed from, for both processors.
  const PlanConstants& constants() const { return content().constants; }
  /// The expression is the OR of all terms, each scored: what has a score > 0 matches.
  bool disjunction() const { return content().disjunction; }
  /// The expression is the AND of all terms, each scored.
  bool conjunction() const { return content().conjunction; }
  /// A document without any of the terms can match: pure negations, and what predicates decide.
  bool matches_absent() const { return content().matches_absent; }
  /// Some term is required.
  bool has_required() const { return content().has_required; }

  /// Looks the terms up in an index. Plans need not be bound to the index that they run on, but one
  /// that is does not wait for its terms to be looked up there. Costs O(terms * log) a segment.
  /// What terms(), filter() and the like returned before is gone, unless another copy has it.
  void bind(const index::Index& index);
  const TermBinding& binding() const { return content().binding; }

 private:
  friend Plan make_plan(const index::Index&, index::Analyzer&, const Query&, bool, PlanTimes*);

  /// All of a plan but what is wanted of the documents.
  struct Content {
    Parts parts = {};  ///< but for its terms, want and k
    std::vector<PlanTerm> terms = {};
    PlanConstants constants = {};
    bool disjunction = false;
    bool conjunction = false;
    bool matches_absent = false;
    bool has_required = false;
    bool has_text_fields = false;
    bool has_operators = false;
    TermBinding binding = {};

    void weigh();
    void derive(const Formula& formula);
  };

  /// `formula` is the expression, in normal form, or null if nothing matches. The terms are
  /// distinct.
  Plan(Parts parts, const Formula* formula, TermBinding binding, bool has_operators);
  const Content& content() const { return content_ != nullptr ? *content_ : nothing(); }
  static const Content& nothing();
  /// This plan with other content.
  Plan with(Content content) const;

  std::shared_ptr<const Content> content_;  ///< null: matches nothing
  Want want_ = Want::kTopK;
  std::uint32_t k_ = 10;
};

/// The scorer of queries that ask for none: BM25 with the index's defaults, or kImpact for an index
/// of impacts.
ScorerSpec default_scorer(const index::Index& index);

/// Parses, analyses and plans a query with the statistics of `index`, and binds it there.
///
/// With `plain` the text has no operators: every character that the tokenizer does not keep is a
/// separator (for topics files, and text that a program passes on). README.md has the language.
///
/// Throws UsageError, with the column, for a query that the language does not know, and for a
/// scorer_problem(), a scorer other than kImpact on an index of impacts, and a weight out of range.
/// If there are `times`, what it took is added to them.
Plan make_plan(const index::Index& index, index::Analyzer& analyzer, const Query& query,
               bool plain = false, PlanTimes* times = nullptr);

/// The plan as indented text, for `--explain` and logs.
std::string to_string(const Plan& plan);

}  // namespace gannet::query
