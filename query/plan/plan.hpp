// Plans, which back ends run. A plan is data: it can be printed, and it refers to no back end.
//
// A plan carries everything that scores depend on: the statistics of the collection that it was
// made for, the document frequency of each term, and the scorer with its parameters. Back ends
// compute none of these again, so a plan gives a document equal score bits in every segment and
// shard and on both processors.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/index.hpp"
#include "query/plan/clause.hpp"
#include "query/plan/filter.hpp"
#include "query/plan/node.hpp"
#include "query/plan/page.hpp"
#include "query/plan/phrase.hpp"
#include "query/plan/query.hpp"
#include "query/plan/term_binding.hpp"
#include "query/scoring/base/constants.hpp"
#include "query/scoring/base/scorer_spec.hpp"
#include "query/scoring/base/statistics.hpp"

namespace gannet::query {

class PlanTimes;

/// A term of a query with its statistics in the collection.
struct QueryTerm {
  /// The term after analysis.
  std::string text = {};
  /// Number of documents of the collection that have the term, deleted documents included.
  std::uint64_t document_frequency = 0;
  /// Weight in the query: the sum over the term's occurrences under an even number of negations. 0:
  /// the term is not scored and only decides which documents match; else kMinWeight .. kMaxWeight.
  float weight = 0;
  /// Number of occurrences in the collection, at least document_frequency. 0 is taken for
  /// document_frequency; make_plan() leaves it 0 if the scorer does not use it.
  std::uint64_t collection_frequency = 0;
  /// The text that the term is searched in: index::kMainText, or the number of a text field in the
  /// schema.
  std::uint32_t field = index::kMainText;
  /// Not empty: the term is a union (unless it is a phrase), scored as one term that documents have
  /// had in the place of each of these: its frequency in a document is the sum of theirs. Two or
  /// more, at most MadeList::kMaxTerms (65,536), ascending and distinct. `text` is what the union
  /// is called, which must differ from all terms of the plan: union_text().
  std::vector<std::string> any_of = {};
  /// True: the term is the documents that have any term of `any_of`, of which there may also be one
  /// or none, and adds its weight to the score of each, however often it has them and however long
  /// it is. What words that are inexactly known become, such as `aero*`, which is their `text`.
  bool constant = false;
  /// Not empty: the term is a phrase or window, which documents have as often as it occurs in them.
  /// `text` is phrase_text(), and `any_of` has the terms of all words, of which there may be one.
  /// Scorers whose constants are multiples of an idf take the sum over the words
  /// (Scorer::adds_idf); the others take the frequencies of the phrase.
  Phrase phrase = {};

  /// What tells the term from others of a plan. The term as lexicons have it; of a union no lexicon
  /// has it.
  std::string key() const;
  /// What the term is looked up by.
  TermKeys keys() const;
  /// The words of lexicons that it stands for: `text`, or those of a union or phrase.
  std::span<const std::string> words() const {
    return any_of.empty() && !constant ? std::span(&text, 1) : std::span(any_of);
  }
};

/// The term of a phrase, without statistics. Its `field` and `weight` are to be set.
QueryTerm phrase_term(Phrase phrase);

/// What a union is called: `SYNONYM(auto car)`.
std::string union_text(std::span<const std::string> any_of);

/// A field of the schema as plans have it: the name and the statistics of a text field.
struct PlanText {
  std::string name = {};  ///< empty: the field is not a text field
  index::TextStatistics statistics = {};
  bool operator==(const PlanText&) const = default;
};

/// A word of a query in one of the texts whose frequencies BM25F adds up.
struct WordTerm {
  std::uint32_t term = 0;  ///< number of the term in Plan::terms()
  float weight = 1;        ///< weight of the text, > 0, at most index::kMaxTextWeight
  bool operator==(const WordTerm&) const = default;
};

/// A word of a query, with its term in each searched text, for BM25F.
struct QueryWord {
  std::vector<WordTerm> terms = {};  ///< one or more, by ascending number
  float weight = 1;                  ///< weight in the query, kMinWeight .. kMaxWeight
  /// Number of documents of the collection that have at least one of the terms.
  std::uint64_t document_frequency = 0;
};

/// All numbers of a plan that depend on the collection. Each is a sum over documents, so the
/// numbers of the shards of a collection add up to those of the collection (batch_statistics.hpp).
struct PlanStatistics {
  CollectionStatistics collection = {};
  std::vector<index::TextStatistics> texts = {};  ///< one for each of Plan::texts()
  std::vector<TermStatistics> terms = {};         ///< one for each of Plan::terms()
  std::vector<std::uint64_t> words = {};          ///< document frequency of each of Plan::words()
  /// Document frequency of each word of the phrases among the terms, phrase by phrase.
  std::vector<std::uint64_t> phrase_words = {};
};

/// A term of a plan: a QueryTerm with the values that the plan derives from it.
struct PlanTerm : QueryTerm {
  /// Constants of the term for contribution().
  TermConstants constants = {};
  /// Every document for which the expression holds has the term.
  bool required = false;
  /// Constants for contribution() that all terms of one text share.
  PlanConstants shared = {};
  /// Of a phrase whose idf is the sum of its words': its constants at weight 1. Else zeroes.
  TermConstants of_words = {};
  bool adds_idf() const { return of_words.factor != 0; }
  bool scored() const { return weight > 0; }
};

/// Limits of the weights of terms and of the number of documents of a collection. Within the
/// limits, every contribution of a scored term is > 0 and no score overflows, for all lengths and
/// frequencies.
inline constexpr float kMinWeight = 1e-6f;
inline constexpr float kMaxWeight = 1e9f;
inline constexpr std::uint64_t kMaxDocuments = std::uint64_t{1} << 48;

struct Formula;

/// A plan: terms with their statistics, an expression, a filter and a scorer.
///
/// A document matches if the expression holds for it and it passes the filter. An empty expression
/// matches no document. The score of a document is the sum of contribution() (scorer.hpp) over the
/// scored terms that the document has, added in the order of the terms; if the plan has words(), it
/// is the sum over the words (BM25F). The filter changes no score.
///
/// Any number of threads may use one plan, except during bind() and assignment. Copies share all
/// members but want(), k() and page(), so copying costs O(1).
class Plan {
 public:
  /// The parts that a plan is made from.
  struct Parts {
    Want want = Want::kTopK;
    std::uint32_t k = 10;
    ScorerSpec scorer = {};
    CollectionStatistics collection = {};
    /// Distinct by field and text, in the order in which contributions are added.
    std::vector<QueryTerm> terms = {};
    /// Postfix, over numbers of `terms` and `predicates`; empty: no document matches.
    std::vector<Node> expression = {};
    /// Only documents that pass the filter match. It changes no score.
    Filter filter = {};
    /// The filters that kPredicate nodes of the expression refer to.
    std::vector<Filter> predicates = {};
    /// One for each field of the schema, in its order; may be empty if no term is of a text field.
    std::vector<PlanText> texts = {};
    /// Only with BM25F: the words whose scores make up the score of a document. Empty: each scored
    /// term adds its own contribution.
    std::vector<QueryWord> words = {};
  };

  /// A plan without terms, which matches no document.
  Plan() = default;

  /// Derives constants and flags from the parts, and brings the expression to normal form
  /// (README.md of query/). The cost is linear in the length of the parts, but for finding the
  /// required terms, which costs up to O(depth * terms * log(terms)). The plan is bound to no
  /// index.
  ///
  /// Throws UsageError for a scorer_problem(), repeated terms, a weight out of range, statistics
  /// that no collection can have (more than kMaxDocuments documents, or a frequency that
  /// contradicts another number), a term number, predicate number or field that does not exist,
  /// words without BM25F, and an expression that is malformed or nested more than kMaxDepth deep.
  /// Fields and values of filters are checked when the plan runs.
  explicit Plan(Parts parts);

  /// The deepest nesting of operators. Nested ANDs count as one level, and so do nested ORs.
  static constexpr std::uint32_t kMaxDepth = 1000;

  Want want() const { return want_; }
  std::uint32_t k() const { return k_; }
  /// A copy that wants `k` hits.
  Plan with_k(std::uint32_t k) const;
  /// Where the hits begin: at the best one, unless with_page() made the plan.
  const PageStart& page() const { return page_; }
  /// A copy whose hits are the k best of those that come behind `page.below` in the order of hits.
  /// Docids are those of the index that is searched. Plans that do not want hits ignore it.
  Plan with_page(const PageStart& page) const;
  /// A copy with the kind of result `want`.
  Plan with_want(Want want) const;
  PlanStatistics statistics() const;
  /// A copy with the statistics of another collection. It equals the plan that make_plan() would
  /// make there, apart from live() and binding(), which it keeps. Throws UsageError if the number
  /// of terms, texts or words differs from the plan's, and for statistics that no collection can
  /// have.
  Plan with_statistics(const PlanStatistics& statistics) const;
  /// A copy that matches no deleted documents. make_plan() makes such plans for an index with
  /// deleted documents.
  Plan with_live() const;
  /// True if the filter is Filter::live() or an AND with it, so that no deleted document passes.
  bool live() const { return live_; }
  const ScorerSpec& scorer() const { return content().parts.scorer; }
  const CollectionStatistics& collection() const { return content().parts.collection; }
  const std::vector<PlanTerm>& terms() const { return content().terms; }
  /// The expression in normal form: AND and OR take two operands, and evaluating it takes at most
  /// kMaxStack stack values (node.hpp).
  const std::vector<Node>& expression() const { return content().parts.expression; }
  const Filter& filter() const { return content().parts.filter; }
  /// Filters inside the expression, such as that of `a OR year:2000`.
  const std::vector<Filter>& predicates() const { return content().parts.predicates; }
  const std::vector<PlanText>& texts() const { return content().parts.texts; }
  /// If not empty, scores are sums over these words, and not over the terms.
  const std::vector<QueryWord>& words() const { return content().parts.words; }
  /// The collection statistics that a term of the plan is scored with, which are those of its text.
  CollectionStatistics collection_of(const QueryTerm& term) const;
  /// The scorer with the parameters for the text of a term of the plan.
  ScorerSpec scorer_of(const QueryTerm& term) const;
  /// True if the query has `+`, `-`, AND or NOT, or the mode AND. Expansion then keeps the set of
  /// matching documents (Searcher::expand()). False for plans that were made from Parts.
  bool has_operators() const { return content().has_operators; }
  /// At least one term is of a text field.
  bool has_text_fields() const { return content().has_text_fields; }
  /// At least one term is a union, or a phrase.
  bool has_unions() const { return content().has_unions; }
  /// At least one term is a phrase or window.
  bool has_phrases() const { return content().has_phrases; }
  /// True if the plan has a filter or predicates.
  bool asks_fields() const { return !filter().is_all() || !predicates().empty(); }

  /// Constants for contribution() that all terms of the main text share.
  const PlanConstants& constants() const { return content().constants; }
  /// True if the expression is the OR of all terms, or a single term, and every term is scored: a
  /// document then matches if its score is > 0 and it passes the filter.
  bool disjunction() const { return content().disjunction; }
  /// True if the expression is the AND of all terms, or a single term, and every term is scored.
  bool conjunction() const { return content().conjunction; }
  /// True if a document without any of the terms can match: by negations, or by predicates.
  bool matches_absent() const { return content().matches_absent; }
  /// At least one term is required.
  bool has_required() const { return content().has_required; }
  /// What every match has: at least one term of each clause. Required terms are clauses of one
  /// term; the OR of a disjunction() is one clause. Empty if nothing follows for the terms, as from
  /// negations alone. A search may start from any of them. They follow from the expression: of an
  /// OR of ANDs up to 16 are made (making/clauses.hpp).
  const Clauses& clauses() const { return content().clauses; }
  /// True if every document that has a term of each clause, and passes the filter, matches: the
  /// expression need not be evaluated.
  bool clauses_decide() const { return content().clauses_decide; }
  /// False if a segment in which the terms have the numbers `ids` (TermBinding::ids()) has no term
  /// of a clause: then none of its documents matches. O(terms of the clauses).
  bool can_match(std::span<const index::TermId> ids) const;

  /// Looks up the terms in all segments of `index`, in O(terms * log(terms of the segment)) for
  /// each, and makes the lists of unions and phrases that union_cache() does not have. A plan runs
  /// on any index; if the plan is bound to that index, a search does not look up its terms.
  /// References that other members have returned become invalid, unless a copy of the plan remains.
  /// Throws FormatError for a damaged lexicon or list, UsageError for phrases if the index has no
  /// positions. Not thread-safe.
  void bind(const index::Index& index);
  const TermBinding& binding() const { return content().binding; }

 private:
  friend Plan make_plan(const index::Index&, index::Analyzer&, const Query&, bool, PlanTimes*);

  /// All of a plan but want(), k() and page().
  struct Content {
    Parts parts = {};  ///< without the terms, which are below; `want` and `k` are not used
    std::vector<PlanTerm> terms = {};
    PlanConstants constants = {};
    bool disjunction = false;
    bool conjunction = false;
    bool matches_absent = false;
    bool has_required = false;
    bool clauses_decide = false;
    Clauses clauses = {};
    bool has_text_fields = false;
    bool has_unions = false;
    bool has_phrases = false;
    bool has_operators = false;
    TermBinding binding = {};

    void weigh();
    void derive(const Formula& formula);
  };

  /// `formula`: the expression in normal form; null: no document matches. The terms are distinct.
  Plan(Parts parts, const Formula* formula, TermBinding binding, bool has_operators);
  const Content& content() const { return content_ != nullptr ? *content_ : nothing(); }
  static const Content& nothing();
  /// A copy with other content.
  Plan with(Content content) const;

  void set(std::shared_ptr<const Content> content);

  std::shared_ptr<const Content> content_;  ///< null: matches no document
  Want want_ = Want::kTopK;
  std::uint32_t k_ = 10;
  bool live_ = false;  ///< here, since each call asks all plans of a batch
  PageStart page_ = {};
};

/// The scorer of queries without one: kImpact for an index of impacts, else BM25 with the k1 and b
/// of the index.
ScorerSpec default_scorer(const index::Index& index);

/// Parses, analyses and plans a query with the statistics of `index`, and binds the plan to
/// `index`. The manual's page on queries has the language. If `plain` is true, the text has no
/// operators: every character that the tokenizer does not keep is a separator (for topics files,
/// and for text that a program passes on).
///
/// The call looks up each term in every segment. A scorer with needs_occurrences also reads a part
/// of each list, and BM25F counts the documents of each word that is searched in several texts.
///
/// Throws QueryError, a UsageError with the column, for a text that the language does not allow.
/// Throws UsageError for a filter that check_filter() refuses, a scorer_problem(), parameters or
/// searched fields that name no text of the index, a scorer other than kImpact on an index of
/// impacts, and a weight out of range. Throws FormatError for a damaged lexicon or list,
/// CancelledError if the token of the thread's StopScope asks for it. The time of the call is added
/// to `times` unless it is null. Thread-safe.
Plan make_plan(const index::Index& index, index::Analyzer& analyzer, const Query& query,
               bool plain = false, PlanTimes* times = nullptr);

/// A term as users write it: `word`, or `title:word` for a term of a text field.
std::string label(const Plan& plan, const PlanTerm& term);

/// The plan as indented text, for `--plan` and logs. Programs should not parse it.
std::string to_string(const Plan& plan);

}  // namespace gannet::query
