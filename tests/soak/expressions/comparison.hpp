// Comparing what back ends answer to questions with what the reference does: hits and their score
// bits, counts, docids, pages, facets, sums and sorted hits.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "query/options/searcher_options.hpp"
#include "tests/soak/expressions/expression.hpp"

namespace gannet::oracle {

/// The first difference that was found.
struct Difference {
  std::size_t question = 0;
  std::string what = {};
};

/// Counts of what was compared.
struct Compared {
  std::uint64_t questions = 0;
  std::uint64_t answers = 0;         ///< of back ends, each compared with the reference
  std::uint64_t with_matches = 0;    ///< questions that some document matches
  std::uint64_t ranges_skipped = 0;  ///< ranges of 64 documents that bounds ruled out
  std::uint64_t host_plans = 0;      ///< plans that the GPU left to the CPU
  std::uint64_t columns = 0;         ///< questions whose facets, sums and sorted hits were compared
};

/// An index of a collection, searched in several ways: with bounds of all lists, of some, of none,
/// exhaustively, with one thread and two.
class Comparison {
 public:
  /// Builds the index. Throws what that and searchers on the back end throw.
  Comparison(Collection collection, query::BackendChoice backend);
  ~Comparison();
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  /// Asks all questions in each way, in batches of all sizes, whose sizes follow from `seed`.
  std::optional<Difference> run(const std::vector<Question>& questions, unsigned seed,
                                Compared& compared) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// A question and a collection as small as possible between which a Comparison finds a difference.
struct Reduced {
  Collection collection;
  Question question;
  std::string what;
};
/// `collection` and `question`, by themselves, have a difference; nothing if they have not. Takes
/// `seconds` at most, but for a last step.
std::optional<Reduced> reduce(const Collection& collection, const Question& question,
                              query::BackendChoice backend, double seconds);

}  // namespace gannet::oracle
