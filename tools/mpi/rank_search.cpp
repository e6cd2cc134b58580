#include "tools/mpi/rank_search.hpp"

#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

#include "codecs/base/error.hpp"
#include "query/plan/batch_statistics.hpp"
#include "query/results/join_results.hpp"
#include "tools/mpi/send_results.hpp"

namespace gannet::tools {
namespace {

/// Throws UsageError, on all ranks, unless all have planned the same queries.
void check_same(const Ranks& ranks, std::uint64_t fingerprint) {
  std::array bounds{fingerprint, ~fingerprint};
  MPI_Allreduce(MPI_IN_PLACE, bounds.data(), 2, MPI_UINT64_T, MPI_MAX, ranks.world());
  if (bounds[0] == ~bounds[1]) return;
  throw UsageError("the processes have planned different queries: are all of them of one version?");
}

void add_up(const Ranks& ranks, std::span<std::uint64_t> numbers) {
  constexpr std::size_t kMax = std::numeric_limits<int>::max();  // MPI counts in an int
  while (!numbers.empty()) {
    const std::span<std::uint64_t> part = numbers.first(std::min(numbers.size(), kMax));
    MPI_Allreduce(MPI_IN_PLACE, part.data(), static_cast<int>(part.size()), MPI_UINT64_T, MPI_SUM,
                  ranks.world());
    numbers = numbers.subspan(part.size());
  }
}

query::Results without_hits(std::size_t plans) {
  query::Results results;
  results.counts.resize(plans);
  results.offsets.assign(plans + 1, 0);
  return results;
}

/// Joins the results of all ranks on the first, in as many steps as the tree of ranks is high: in
/// each, every other one of those that still have some gives them to its left neighbour.
query::Results join(const Ranks& ranks, std::span<const query::Plan> plans, query::Results mine) {
  for (int step = 1; step < ranks.size(); step *= 2) {
    if (ranks.rank() % (2 * step) != 0) {
      send_results(ranks, ranks.rank() - step, mine);
      return without_hits(plans.size());
    }
    if (ranks.rank() + step >= ranks.size()) continue;
    const query::Results theirs = receive_results(ranks, ranks.rank() + step);
    mine = query::join_results(plans, mine, theirs);
  }
  return mine;
}

}  // namespace

query::Results RankSearch::search(std::span<const query::Plan> plans, query::Report& report) const {
  const auto start = std::chrono::steady_clock::now();
  query::BatchStatistics statistics(plans);
  ranks_.agree();
  check_same(ranks_, statistics.fingerprint());
  add_up(ranks_, statistics.numbers());
  const std::vector<query::Plan> scored = statistics.apply(plans);
  query::Results mine = searcher_.search(scored, &report, options_);
  query::renumber(mine, base_);
  ranks_.agree();
  query::Results all;
  run_or_abort(ranks_, [&] { all = join(ranks_, scored, std::move(mine)); });
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return all;
}

void add_up(const Ranks& ranks, query::Report& report) {
  query::FilterCounters& filter = report.filter;
  query::HostPlans& plans = report.host_plans;
  using query::HostReason;
  const std::array counters{&report.postings,
                            &report.tiles_total,
                            &report.tiles_decoded,
                            &report.ranges_total,
                            &report.ranges_searched,
                            &report.documents_scored,
                            &report.bounds_bytes,
                            &report.bitmap_bytes,
                            &report.host_bytes_read,
                            &filter.documents,
                            &filter.estimated,
                            &filter.passing,
                            &filter.driven,
                            &filter.on_candidates,
                            &filter.made,
                            &filter.bytes,
                            &report.memory.failures,
                            &report.memory.splits,
                            &report.memory.given_back,
                            &plans.at(HostReason::kDeviceMemory)};
  std::array<std::uint64_t, counters.size()> sums{};
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = *counters[i];
  add_up(ranks, std::span(sums));
  for (std::size_t i = 0; i < sums.size(); ++i) *counters[i] = sums[i];
}

}  // namespace gannet::tools
