// Running topics in batches, as `gannet run` does: while one batch is searched, the next one is
// planned and the one before is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/evaluation/trec_run.hpp"
#include "corpora/topics/topics.hpp"
#include "query/options/expansion.hpp"
#include "query/searcher.hpp"
#include "tools/options/column_options.hpp"
#include "tools/search/bad_topics.hpp"

namespace gannet::tools {

/// How topics are run.
struct TopicRunOptions {
  query::Query query;                  ///< but for its text
  bool plain = true;                   ///< topics are words, without operators
  std::string topics_name = "topics";  ///< of their file, for messages
  /// Topics that are no queries are left out, instead of ending the run.
  bool skip_bad = false;
  std::size_t batch = 4096;
  std::string tag;  ///< of the run
  corpora::RunLayout layout = corpora::RunLayout::kTrec;
  unsigned threads = 1;  ///< that make the lines of a batch
  std::optional<query::Expansion> expansion{};
  query::SearchOptions search{};  ///< its stop token and deadline end all stages
  ColumnRequest columns{};        ///< empty: hits by score
  /// Answers a batch of plans in the searcher's place, on the calling thread, if it is given; not
  /// with columns.
  std::function<query::Results(std::span<const query::Plan>, query::Report&)> answer{};
};

/// Where what topics gave goes; each may be missing.
struct TopicOutputs {
  corpora::RunWriter* run = nullptr;
  /// Takes whole lines of JSON, of a topic each, in the order of the topics.
  std::function<void(std::string_view lines)> answers = {};
  /// Whose documents the results number; nullptr: the searcher's.
  const index::Index* index = nullptr;
};

/// Seconds of each stage, all batches together. From kOverlapFrom queries a batch on stages
/// overlap, so that they add up to more than `wall`.
struct TopicTiming {
  double analysis = 0;   ///< reading queries and breaking them into terms
  double planning = 0;   ///< the rest of what makes plans of them
  double expanding = 0;  ///< first passes, and what is made of them
  double searching = 0;
  double writing = 0;
  double wall = 0;
  std::vector<double> batches;  ///< planning, expanding and searching of each batch
};

struct TopicOutcome {
  query::ScorerSpec scorer;
  std::string expansion;  ///< empty: none
  query::Report report;
  TopicTiming timing;
  std::uint64_t hits = 0;
  std::uint64_t without_hits = 0;
  std::vector<BadTopic> skipped;  ///< in their order
};

/// Batches of fewer queries are run one after the other: whoever asks for them measures latencies.
inline constexpr std::size_t kOverlapFrom = 256;

/// Runs `topics` and writes what they gave, in their order. In a run, scores of hits that are
/// sorted by columns say their ranks (RunLines::add_ranked()); groups are in no run. `progress` is
/// told, on the calling thread, before each batch how many topics are searched; what it throws ends
/// the run. Throws what planning, searching and writing throw, once no stage works any more; what
/// is wrong with a topic's query begins with the topics' name, its line and its id.
TopicOutcome run_topics(const query::Searcher& searcher, const TopicRunOptions& options,
                        std::span<const corpora::Topic> topics, const TopicOutputs& outputs,
                        const std::function<void(std::size_t done)>& progress);

}  // namespace gannet::tools
