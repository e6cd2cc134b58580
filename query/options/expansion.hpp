// Parameters of query expansion: formulas, names, ranges and defaults. All functions are
// thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gannet::query {

/// A method of query expansion.
enum class ExpansionMethod : std::uint8_t {
  /// A relevance model, mixed with the query. Abdul-Jaleel et al., UMass at TREC 2004, section 3
  /// (RM3), after Lavrenko and Croft, Relevance-based language models, SIGIR 2001, section 3.1.
  kRm3,
  /// The query vector moves towards the mean of the document vectors. Rocchio, Relevance feedback
  /// in information retrieval, 1971; without the term for non-relevant documents (gamma = 0).
  kRocchio,
};

/// Parameters of pseudo-relevance feedback: the best documents of a query are taken as relevant,
/// and their terms are added to the query with new weights. The formulas and the defaults are those
/// of Anserini, except for `ascii_only` and `document_terms`; parse_expansion("rm3:anserini") takes
/// Anserini's values of these two also.
///
/// d(t) is the frequency of term t in a document d. The vector of a document has only the terms
/// that may be added (see the members below). q(t) is the weight of term t in the query, scaled so
/// that the weights have the sum 1 (RM3) or the Euclidean length 1 (Rocchio).
///
///   RM3       r(t) = sum over the documents of  d(t) / sum of d  *  the document's score;
///             the `terms` largest r(t) are kept and scaled to the sum 1;
///             new weight = weight * q(t) + (1 - weight) * r(t)
///   Rocchio   r(t) = sum over the documents of  d(t) / length of d,  over their number;
///             the `terms` largest r(t) are kept and scaled to the length 1;
///             new weight = alpha * q(t) + beta * r(t)
///
/// Weights are computed in double and rounded once. A new term whose weight is below kMinWeight
/// (plan.hpp) is not added.
struct Expansion {
  ExpansionMethod method = ExpansionMethod::kRm3;
  /// Number of documents that are taken as relevant: 1 .. 1000; fewer if the query has fewer hits.
  std::uint32_t documents = 10;
  /// Number of terms from the documents, terms of the query included: 0 .. 1000. 0: the query is
  /// not changed.
  std::uint32_t terms = 10;
  /// RM3: weight of the original query, 0 .. 1.
  double weight = 0.5;
  /// Rocchio: weights of the query (alpha) and of the documents (beta), 0 .. 1000, not both 0.
  double alpha = 1;
  double beta = 0.75;

  // A term of the main text that the query neither excludes nor gives the weight 0 may be added if
  // it meets all of the following conditions:
  /// At most this share of the documents of the index has the term, 0 .. 1. More frequent terms
  /// count as stop words.
  double max_document_share = 0.1;
  /// The term has min_length to max_length characters (Unicode code points), 1 .. 65,535;
  /// min_length is at most max_length.
  std::uint32_t min_length = 2;
  std::uint32_t max_length = 20;
  /// The term consists of the letters a-z and digits. (Anserini's RM3 has this condition by
  /// default, and so has "rm3:anserini"; Anserini's Rocchio does not.)
  bool ascii_only = false;
  /// RM3: the vector of a document keeps this number of its most frequent terms, 0 .. 1,000,000;
  /// terms of equal frequency are taken in bytewise order. 0: all terms, as published. (Anserini's
  /// RM3 uses the value of `terms`, and so does "rm3:anserini".)
  std::uint32_t document_terms = 0;

  bool operator==(const Expansion&) const = default;
};

/// The names that parse_expansion() takes: "rm3, rm3:anserini, rocchio".
std::string expansion_names();

/// The problem of an expansion that cannot be used, as a message: "rm3: docs must be a whole number
/// between 1 and 1000, not 0"; nullopt if it can be used. Parameters of the other method are not
/// checked.
std::optional<std::string> expansion_problem(const Expansion& expansion);

/// The expansion with a name of expansion_names() and parameters such as
/// "docs=10,terms=10,weight=0.5". Other parameters have their defaults; "rm3:anserini" is RM3 with
/// the defaults chars=ascii and doc-terms equal to terms. The parameters are docs, terms, weight
/// (rm3), alpha, beta (rocchio), max-df (max_document_share), min-length, max-length, chars (any or
/// ascii) and doc-terms (rm3). Throws UsageError, with the allowed names or values, for an unknown
/// name and for a value out of range.
Expansion parse_expansion(std::string_view name, std::string_view parameters = {});

/// The name and all parameters, with a space between, as parse_expansion() takes them:
/// "rm3 docs=10,terms=10,weight=0.5,...". "unusable: ..." for an expansion_problem().
std::string to_string(const Expansion& expansion);

}  // namespace gannet::query
