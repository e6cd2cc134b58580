// Parameters of the sequential dependence model: formula, names, ranges and defaults. All functions
// are thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gannet::query {

/// The sequential dependence model (D. Metzler, W. B. Croft, A Markov random field model for term
/// dependencies, SIGIR 2005, section 3.2): words that are neighbours in the query should be
/// neighbours in the document. Of the words q_1 .. q_n of a query
///
///   score = terms     * sum over i of  f(q_i)
///         + ordered   * sum over i of  f(q_i q_{i+1} as a phrase)
///         + unordered * sum over i of  f(q_i q_{i+1} in any order within `window` places)
///
/// f is the query's scorer; a pair counts as a term, with its own frequencies (decision 0086). The
/// paper's f is the logarithm of a language model that is smoothed by a Dirichlet prior. The scorer
/// `dirichlet` is nearest to it; words and pairs that a document lacks add nothing. The defaults
/// are those of the paper, and of Indri's and Anserini's SDM.
struct SequentialDependence {
  /// Weights, 0 or 1e-6 .. 1000, not all 0. A weight of 0 leaves the features out; of `terms`, the
  /// words then only decide which documents match.
  double terms = 0.85;
  double ordered = 0.1;
  double unordered = 0.05;
  /// Places of an unordered window: 2 .. 1,000,000.
  std::uint32_t window = 8;
  bool operator==(const SequentialDependence&) const = default;
};

/// What users call it.
inline constexpr std::string_view kDependenceName = "sdm";

/// What is wrong with it, as a message; nothing if it can be used.
std::optional<std::string> dependence_problem(const SequentialDependence& dependence);

/// Reads "terms=0.85,ordered=0.1,unordered=0.05,window=8"; what is left out has its default. Throws
/// UsageError, with the names or values that there are, for an unknown name and for a value out of
/// range.
SequentialDependence parse_dependence(std::string_view parameters);

/// "sdm terms=0.85,...": the name and all parameters. "unusable: ..." for a dependence_problem().
std::string to_string(const SequentialDependence& dependence);

}  // namespace gannet::query
