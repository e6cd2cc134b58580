// Comparing what back ends answer to questions with what the reference does: hits and their score
// bits, counts, docids, pages, facets, sums and sorted hits.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
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

/// Builds the index and asks all questions, in several ways of searching (with bounds of all lists,
/// of some, exhaustive), in batches of all sizes, with one thread and two. `seed`: for the sizes of
/// batches.
std::optional<Difference> compare(const Collection& collection,
                                  const std::vector<Question>& questions,
                                  query::BackendChoice backend, unsigned seed, Compared& compared);

/// A question and a collection as small as possible between which compare() finds a difference.
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
