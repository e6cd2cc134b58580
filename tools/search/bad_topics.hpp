// Topics that are no queries of the query language.
#pragma once

#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/topics/topics.hpp"
#include "query/searcher.hpp"

namespace gannet::tools {

struct BadTopic {
  std::string id = {};
  std::uint64_t line = 0;  ///< of the topics file; 0: not known
  std::string problem = {};
};

/// "topics.tsv:3: topic '7': query, column 4: ..."
std::string to_string(const BadTopic& topic, std::string_view file);

/// What can be planned of a batch that could not be planned as a whole.
struct SplitBatch {
  std::vector<corpora::Topic> topics = {};
  std::vector<query::Plan> plans = {};  ///< of `topics`
  std::vector<BadTopic> bad = {};
};

/// Plans the queries of `topics` one after the other, to find those that UsageError is thrown for.
/// Throws that of the first one, with `file`, its line and its topic before it, unless `skip`; and
/// `error`, which the batch gave, if an empty query gives it too: then it is no topic's fault.
/// CancelledError and DeadlineError as `search` asks.
SplitBatch split_batch(const query::Searcher& searcher, std::span<const corpora::Topic> topics,
                       std::span<const query::Query> queries, bool plain, std::string_view file,
                       bool skip, const query::SearchOptions& search,
                       const std::exception_ptr& error);

}  // namespace gannet::tools
