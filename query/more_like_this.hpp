// Queries for documents like a given one, or like a text.
//
//     const index::Analyzer analyzer(index.analyzer());
//     const Result result = searcher.search(like_document(index, analyzer, docid, {.k = 10}));
//
// A query has the terms of the text that tell it from other documents: those with the largest
// frequency in the text times idf, where idf = ln(1 + (N - n + 0.5) / (n + 0.5)), n is the number
// of documents of the index that have the term, and N that of all. This is the method of Lucene's
// MoreLikeThis (org.apache.lucene.queries.mlt), whose idf is 1 + ln((N + 1) / (n + 1)): there,
// words that all documents have are taken for characteristic of a long text, unless they are stop
// words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "index/index.hpp"
#include "index/text/analyzer.hpp"
#include "query/plan/query.hpp"

namespace gannet::query {

/// How the terms of a text are chosen.
struct LikeOptions {
  /// The largest number of terms in the query. Plain ORs of up to 32 terms are pruned by bounds.
  std::uint32_t terms = 25;
  /// Only terms that the text has so many times. A text that has fewer than `terms` such terms is
  /// too short for this: then all of its terms count.
  std::uint32_t min_frequency = 2;
  /// Only terms that so many documents of the index have, other than the given one. (Lucene has 5,
  /// which leaves little of documents of a small index.) 0 is taken for 1.
  std::uint64_t min_documents = 1;
};

/// A term of a text.
struct LikeTerm {
  std::string term = {};
  std::uint32_t frequency = 0;           ///< in the text
  std::uint64_t document_frequency = 0;  ///< in the index
  double weight = 0;                     ///< frequency * idf
  bool operator==(const LikeTerm&) const = default;
};

/// The terms that characterise a text among the documents of `index`, the largest weight first and
/// terms of equal weights in bytewise order. `analyzer`: that of the main text, made of
/// index.analyzer(). Empty if the index has none of the text's terms.
///
/// Costs the analysis of the text, and a look into the lexicon of each segment for each of its
/// distinct terms. Throws UsageError for LikeOptions::terms of 0, FormatError for a damaged
/// lexicon. Thread-safe, but for the analyzer's own rules.
std::vector<LikeTerm> like_terms(const index::Index& index, const index::Analyzer& analyzer,
                                 std::string_view text, const LikeOptions& options = {});

/// `query` as an OR of the like_terms() of a text, in the main text; its text and terms are
/// replaced, all else, such as k and the filter, stays. With Mode::kAnd, all of the terms must
/// occur. Throws what like_terms() throws.
Query like_text(const index::Index& index, const index::Analyzer& analyzer, std::string_view text,
                Query query = {}, const LikeOptions& options = {});

/// The same of a document's stored text. The document, which may be deleted, is not among the
/// results: the filter has NOT Filter::document(). So the query is for this index alone. Throws
/// UsageError also if the index has no such document, or keeps no texts.
Query like_document(const index::Index& index, const index::Analyzer& analyzer, index::Docid docid,
                    Query query = {}, const LikeOptions& options = {});

}  // namespace gannet::query
