// Why a document has the score that it has, or why it does not match.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/index.hpp"
#include "index/text/analyzer.hpp"
#include "query/plan/plan.hpp"
#include "query/plan/query.hpp"

namespace gannet::query {

/// ExplainedTerm::positions has so many.
inline constexpr std::size_t kExplainedPositions = 10;

/// A word of a phrase whose idf is the sum of its words'.
struct ExplainedPhraseWord {
  std::string word = {};  ///< its term, `pow*`, or its terms as SYNONYM(a b)
  std::uint64_t document_frequency = 0;
  /// What it adds to the constant that the scorer's formula has for the phrase, at weight 1: its
  /// idf, times what the scorer multiplies it by.
  float factor = 0;
};

/// A term of the plan in the document.
struct ExplainedTerm {
  std::string term = {};  ///< `word`, or `title:word`
  std::uint64_t document_frequency = 0;
  std::uint64_t collection_frequency = 0;  ///< 0 if the scorer does not use it
  float weight = 0;                        ///< in the query; 0: the term is not scored
  bool required = false;                   ///< every document that matches has the term
  std::uint32_t frequency = 0;             ///< in the document, or the impact; 0: it lacks the term
  std::uint32_t length = 0;                ///< of the document's text, in tokens
  float contribution = 0;                  ///< to the score; 0 if the plan has words()
  /// The scorer's formula with its numbers, whose value is the contribution but for rounding. Empty
  /// if the contribution is 0.
  std::string formula = {};
  /// Of a phrase or window: where its first occurrences begin in the document, kExplainedPositions
  /// of `frequency` at most: places in the text, from 0, which dropped words take as well.
  std::vector<std::uint32_t> positions = {};
  /// Of a phrase or window whose idf is the sum over its words: these.
  std::vector<ExplainedPhraseWord> phrase_words = {};
};

/// A term that an inexact word stands for, and that the document has.
struct ExpandedTerm {
  std::string term = {};
  std::uint32_t frequency = 0;                 ///< in the document
  std::optional<std::uint32_t> distance = {};  ///< of a fuzzy word: the edits between the two
  float boost = 1;  ///< of a fuzzy word: what the term's score is multiplied by
};

/// An inexact word of a query in one text.
struct ExplainedExpansion {
  std::string word = {};                 ///< as the query has it: `aero*`, `title:wing~1`
  std::uint64_t found = 0;               ///< terms that it stands for in the whole index
  std::vector<ExpandedTerm> terms = {};  ///< those that the document has, in bytewise order
};

/// A word of BM25F in the document, over the texts that it is searched in.
struct ExplainedWord {
  std::vector<std::uint32_t> terms = {};  ///< numbers in Explanation::terms
  std::uint64_t document_frequency = 0;   ///< documents with at least one of the terms
  float weight = 0;
  float contribution = 0;
  std::string formula = {};  ///< as that of a term
};

/// A part of the plan's filter. All parts must pass.
struct ExplainedFilter {
  std::string filter = {};
  bool passes = false;
};

/// A reason why a document does not match.
struct Mismatch {
  enum class Kind {
    kDeleted,   ///< the document is deleted
    kFilter,    ///< it does not pass one of `names`, which is a filter
    kMissing,   ///< it has none of `names`, one of which is required
    kExcluded,  ///< it has `names`, which the query excludes
    kNothing,   ///< the query, or a required part of it, matches no document
  };
  Kind kind = Kind::kNothing;
  /// Terms and filters, as users write them; of kMissing also formulas of them.
  std::vector<std::string> names = {};
};

/// What a plan makes of one document.
struct Explanation {
  bool matches = false;
  /// The score, with the bits that a search gives a document that matches: the contributions,
  /// added with rounded_add() in the order of `words`, or without words in that of `terms`.
  float score = 0;
  std::vector<ExplainedTerm> terms = {};  ///< one for each of Plan::terms()
  std::vector<ExplainedWord> words = {};  ///< one for each of Plan::words()
  /// What explain_expansions() gives; explain() leaves it empty, since plans have no words.
  std::vector<ExplainedExpansion> expansions = {};
  std::vector<ExplainedFilter> filters = {};
  std::vector<Mismatch> mismatches = {};  ///< empty if the document matches
};

/// Explains document `docid` of `index` under the plan, which may have been made for another index.
/// The document may be deleted, and need not match.
///
/// Takes a look into the list of each term and decodes at most a tile of it; of a phrase, also into
/// those of its words and their positions in the document. For each predicate of
/// the filter it decodes the values of the 65,536 documents around the document. So it suits single
/// documents, and does not replace a search. Like a search, it first checks lists that are used for
/// the first time. Uses the CPU, whatever back end searches.
///
/// Throws UsageError for a docid that the index does not have and for a filter that
/// check_filter() refuses, FormatError for damaged lists or columns. Thread-safe.
Explanation explain(const index::Index& index, const Plan& plan, index::Docid docid);

/// The inexact words of a query's text, those of phrases included, each once in each of the texts
/// that it is searched in, in the order of the query: the terms that they stand for, of which the
/// document is looked up. `query`: in the query language; its expansions are used if it has them.
///
/// Throws what make_plan() throws for such a query, UsageError for a docid that the index does not
/// have, FormatError for damaged lexicons or lists. Takes what planning the words takes, and a look
/// into the list of each of their terms. Thread-safe.
std::vector<ExplainedExpansion> explain_expansions(const index::Index& index,
                                                   const index::Analyzer& analyzer,
                                                   const Query& query, index::Docid docid);

/// The name of a kind of mismatch: "deleted", "filter", "missing", "excluded", "nothing".
std::string_view mismatch_name(Mismatch::Kind kind);
/// A sentence without its stop: "the required term 'wing' is missing".
std::string to_string(const Mismatch& mismatch);

}  // namespace gannet::query
