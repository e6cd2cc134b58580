// What the topics of a batch gave.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "corpora/topics/topics.hpp"
#include "query/columns/column_query.hpp"
#include "query/results/results.hpp"
#include "tools/options/column_options.hpp"

namespace gannet::tools {

struct TopicBatch {
  std::span<const corpora::Topic> topics = {};
  query::Results results = {};
  /// One a topic, without its hits, which are in `results`; none if nothing was asked of columns.
  std::vector<query::ColumnResults> columns = {};
  /// What `topics` are of, where some of the file's were left out.
  std::shared_ptr<const std::vector<corpora::Topic>> kept = {};

  /// Hits of a topic; with groups, those of all of them.
  std::uint64_t hits(std::size_t topic) const;
};

/// Moves the hits of results by columns into flat arrays. Without scores there are none.
query::Results take_hits(std::vector<query::ColumnResults>& columns);

/// A line of JSON for each of the topics [first, last): {"version", "topic", "query", "total",
/// "hits": [{"rank", "docid", "id", "score", "fields"}], "facets", "histograms", "stats"}, those
/// that were asked for, and "grouping" in the place of hits that are grouped; as `gannet search
/// --json` has them. Throws what reading fields does, CancelledError.
std::string answer_lines(const index::Index& index, const TopicBatch& batch,
                         const ColumnRequest& request, std::size_t first, std::size_t last,
                         const std::stop_token& stop);

}  // namespace gannet::tools
