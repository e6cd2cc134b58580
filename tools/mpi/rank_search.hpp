// Searching a batch on all ranks.
#pragma once

#include <cstdint>
#include <span>

#include "query/results/results.hpp"
#include "query/searcher.hpp"
#include "tools/mpi/ranks.hpp"

namespace gannet::tools {

/// A rank's part of a search over all of them.
class RankSearch {
 public:
  /// `searcher` has the rank's shards, whose first document is document `base` of all.
  RankSearch(Ranks& ranks, const query::Searcher& searcher, std::uint64_t base,
             const query::SearchOptions& options)
      : ranks_(ranks), searcher_(searcher), base_(base), options_(options) {}

  /// What all ranks find for plans that each made of the same queries; `report` is told of this
  /// rank's part, and of the time that all took. The results are the first rank's: others get as
  /// many without hits. Collective. Throws JobFailed, and what Searcher::search() throws.
  query::Results search(std::span<const query::Plan> plans, query::Report& report) const;

 private:
  Ranks& ranks_;
  const query::Searcher& searcher_;
  std::uint64_t base_;
  query::SearchOptions options_;
};

/// Makes a rank's report that of all of them, but for seconds. Collective.
void add_up(const Ranks& ranks, query::Report& report);

}  // namespace gannet::tools
