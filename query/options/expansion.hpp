// Which query expansion with which parameters: names, ranges and defaults, for programs and
// messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gannet::query {

enum class ExpansionMethod : std::uint8_t {
  /// A relevance model, mixed with the query. Abdul-Jaleel et al., UMass at TREC 2004, section 3
  /// (RM3), after Lavrenko and Croft, Relevance-based language models, SIGIR 2001, section 3.1.
  kRm3,
  /// The query moved towards the mean of the documents. Rocchio, Relevance feedback in information
  /// retrieval, 1971; without documents that are not relevant (gamma = 0).
  kRocchio,
};

/// Pseudo-relevance feedback: the best documents of a query give it more terms and new weights.
/// The forms and the defaults are those of Anserini but for what is said at `ascii_only` and
/// `document_terms`; parse_expansion("rm3:anserini") has its values there, too.
///
/// A document is the vector of its terms' frequencies, of those terms that may be added (below);
/// d(t) is that of term t. The query's weights are q(t): its terms' weights, scaled to a sum of 1
/// (RM3) or to a length of 1 (Rocchio).
///
///   RM3       r(t) = sum over the documents of  d(t) / sum of d  *  the document's score;
///             of r the `terms` largest stay, scaled to a sum of 1;
///             new weight = weight * q(t) + (1 - weight) * r(t)
///   Rocchio   r(t) = sum over the documents of  d(t) / length of d,  over their number;
///             of r the `terms` largest stay, scaled to a length of 1;
///             new weight = alpha * q(t) + beta * r(t)
struct Expansion {
  ExpansionMethod method = ExpansionMethod::kRm3;
  /// Best documents that are taken for relevant: 1 .. 1000. There may be fewer.
  std::uint32_t documents = 10;
  /// Terms that they give, those of the query among them: 0 (the query stays as it is) .. 1000.
  std::uint32_t terms = 10;
  /// RM3: share of the original query, 0 .. 1.
  double weight = 0.5;
  /// Rocchio: weights of the query and of the documents, 0 .. 1000, not both 0.
  double alpha = 1;
  double beta = 0.75;

  // Which terms may be added:
  /// Those that no more than this share of the collection's documents have, 0 .. 1: what is more
  /// frequent are stop words.
  double max_document_share = 0.1;
  /// Those of so many characters (Unicode code points), 1 .. 65,535.
  std::uint32_t min_length = 2;
  std::uint32_t max_length = 20;
  /// Only those of the letters a-z and digits. (Anserini's RM3 does this unless told otherwise, so
  /// "rm3:anserini" does; its Rocchio does not.)
  bool ascii_only = false;
  /// RM3: of each document only so many of its most frequent terms count, of equally frequent ones
  /// the first by text; 0: all, as published. (Anserini's RM3 takes `terms` here, so "rm3:anserini"
  /// does.)
  std::uint32_t document_terms = 0;

  bool operator==(const Expansion&) const = default;
};

/// "rm3, rm3:anserini, rocchio"
std::string expansion_names();

/// What is wrong with an expansion, for messages: "rm3: docs must be between 1 and 1000, not 0";
/// nothing if it can be used.
std::optional<std::string> expansion_problem(const Expansion& expansion);

/// An expansion from what a user writes: its name, and "docs=10,terms=10,weight=0.5". Parameters
/// that are not named have their defaults. "rm3:anserini" is RM3 with Anserini's: chars=ascii, and
/// doc-terms as many as terms. Names: docs, terms, weight (rm3), alpha, beta (rocchio),
/// max-df (max_document_share), min-length, max-length, chars (any or ascii), doc-terms (rm3).
/// Throws UsageError, naming what there is, for unknown names and values out of range.
Expansion parse_expansion(std::string_view name, std::string_view parameters = {});

/// "rm3 docs=10,terms=10,weight=0.5,...": all that parse_expansion() needs.
std::string to_string(const Expansion& expansion);

}  // namespace gannet::query
