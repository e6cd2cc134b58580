// What `gannet bench query` measures, apart from options and output.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "query/columns/column_query.hpp"
#include "query/options/expansion.hpp"
#include "query/searcher.hpp"
#include "tools/measure/stats.hpp"

namespace gannet::tools {

/// What is done with every plan of a log.
struct QueryWork {
  const query::Searcher& searcher;
  const std::optional<query::Expansion>& expansion;  ///< what plans are expanded by, first
  /// What is asked of the columns of all that match; empty: nothing, hits by score alone.
  const query::ColumnQuery& columns;
  query::ColumnOptions column_options = {};
  query::SearchOptions options = {};
};

/// Latencies of the queries with one number of terms.
struct LengthLatency {
  std::size_t terms = 0;  ///< the last group counts longer queries too
  std::size_t queries = 0;
  Quantiles seconds;
};
inline constexpr std::size_t kLongestLength = 8;

/// What expanding the queries took, of one pass over the log.
struct ExpansionCost {
  double seconds = 0;         ///< first passes and all that follows but the second ones
  double gather_seconds = 0;  ///< of it, gathering documents' terms
  std::uint64_t documents = 0;
  std::uint64_t tiles_total = 0;
  std::uint64_t tiles_decoded = 0;
};

struct QueryResult {
  std::uint64_t batch = 0;               ///< queries in a batch
  double seconds = 0;                    ///< median, for the whole log
  Quantiles latency;                     ///< of a batch: from the call to the results; seconds
  query::Report report;                  ///< sum over the batches of one pass over the log
  std::vector<LengthLatency> by_length;  ///< only for batches of one query
  ExpansionCost expansion;               ///< of the last pass
  /// Documents that match, added up over one pass over the log; only where columns are asked.
  std::uint64_t matches = 0;
  /// Of all threads of the process, for the whole log; median. Tells more than `seconds` where the
  /// machine is busy with other work.
  double cpu_seconds = 0;
  double queries_per_second() const { return static_cast<double>(report.queries) / seconds; }
  double postings_per_second() const { return static_cast<double>(report.postings) / seconds; }
};

/// CPU seconds of all threads of the process so far.
double cpu_seconds();

/// Results of some queries of a log, for comparing back ends.
struct CheckedResults {
  std::vector<std::size_t> queries;  ///< which, ascending
  std::vector<query::Result> results;
  std::vector<query::ColumnResults> columns;  ///< in their place, where columns are asked
};

/// Does the work for all plans in batches of `batch`, to warm up and then `repeats` times for the
/// clock. The latency of a batch is its median over the repeats. Fills in the results of `check`
/// from the last pass.
QueryResult measure_queries(const QueryWork& work, std::span<const query::Plan> plans,
                            std::uint64_t batch, int repeats, CheckedResults& check);

/// Evenly spread query numbers, at most `count` of `total`.
std::vector<std::size_t> spread(std::size_t total, std::size_t count);

/// Throws Error, naming the first query whose results differ, unless `check` is what the same work
/// gives by an exhaustive search of `reference`, bit for bit.
void compare_results(const query::Searcher& reference, const QueryWork& work,
                     std::span<const query::Plan> plans, const CheckedResults& check);

}  // namespace gannet::tools
