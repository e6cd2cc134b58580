#include <boost/mpi/collectives/broadcast.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codecs/base/cancellation.hpp"
#include "codecs/base/deadline.hpp"
#include "codecs/base/error.hpp"
#include "corpora/topics/topics.hpp"
#include "index/index.hpp"
#include "index/shard_set.hpp"
#include "query/plan/word_expansions.hpp"
#include "tools/building/shares.hpp"
#include "tools/mpi/jobs.hpp"
#include "tools/mpi/rank_search.hpp"
#include "tools/options/expansion_option.hpp"
#include "tools/options/open_index.hpp"
#include "tools/options/topics_option.hpp"
#include "tools/search/keep_memory.hpp"
#include "tools/search/run_files.hpp"
#include "tools/search/run_options.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/progress.hpp"

namespace boost::serialization {

template <class Archive>
void serialize(Archive& archive, gannet::corpora::TopicTerm& term, unsigned) {
  archive& term.term& term.weight;
}
template <class Archive>
void serialize(Archive& archive, gannet::corpora::Topic& topic, unsigned) {
  archive& topic.id& topic.text& topic.vector;
}

}  // namespace boost::serialization

namespace gannet::tools {
namespace {

/// What wants more of a shard than its best documents is refused, not answered otherwise.
void check_topics_options(const OptionSet& options) {
  for (const char* const name : {"sort", "facet", "histogram", "stats", "group", "expand"}) {
    if (!options.has(name) || (name == std::string_view("expand") && dependence_option(options))) {
      continue;
    }
    throw UsageError(
        fmt::format("--{}: not with --mpi; one process answers it, also over shards", name));
  }
}

/// The first rank reads them. Collective.
std::vector<corpora::Topic> topics_of_all(Ranks& ranks, const OptionSet& options) {
  std::vector<corpora::Topic> topics;
  if (ranks.is_first()) topics = read_topics_option(options);
  ranks.agree();
  boost::mpi::broadcast(ranks.world(), topics, 0);
  return topics;
}

/// What the inexact words of topics stand for in all shards. The first rank, which has `whole`,
/// looks: a rank's own terms would be others. Collective; null where topics are plain words.
std::shared_ptr<const query::WordExpansions> expansions_of_all(
    Ranks& ranks, const TopicRunOptions& run, const std::vector<corpora::Topic>& topics,
    const index::Index* whole) {
  if (run.plain) return nullptr;
  std::string bytes;
  if (whole != nullptr) {
    std::vector<query::Query> queries(topics.size(), run.query);
    for (std::size_t i = 0; i < topics.size(); ++i) set_topic(queries[i], topics[i]);
    bytes = within_limits(run.search, [&](const query::SearchOptions& limited) {
      return query::expand_words(*whole, queries, limited.stop).to_bytes();
    });
  }
  ranks.agree();
  boost::mpi::broadcast(ranks.world(), bytes, 0);
  return std::make_shared<const query::WordExpansions>(query::WordExpansions::from_bytes(bytes));
}

/// The shards of a rank, and where they begin.
struct Share {
  std::size_t first = 0;
  std::size_t last = 0;
  std::uint64_t base = 0;
};

Share share_of(const Ranks& ranks, const std::string& directory) {
  if (!index::is_shard_set(directory)) {
    throw UsageError(directory +
                     ": --mpi takes a set of shards: cut an index with gannet shard, or build one "
                     "with gannet index --mpi");
  }
  const std::vector<index::ShardRecord> shards = index::read_shard_set(directory);
  const auto size = static_cast<std::size_t>(ranks.size());
  if (shards.size() < size) {
    throw UsageError(fmt::format(
        "{}: {} for {} processes, each of which takes whole shards; start "
        "fewer, or cut the index into more",
        directory, shards.size() == 1 ? "one shard" : fmt::format("{} shards", shards.size()),
        size));
  }
  std::vector<std::uint64_t> documents;
  documents.reserve(shards.size());
  for (const index::ShardRecord& shard : shards) documents.push_back(shard.documents);
  const std::vector<std::size_t> starts = share_out(documents, size);
  const auto rank = static_cast<std::size_t>(ranks.rank());
  return {starts[rank], starts[rank + 1], shards[starts[rank]].docid_base};
}

}  // namespace

int topics_job(Ranks& ranks, Args args) {
  OptionSet options(run_help());
  declare_run_options(options);
  if (!options.parse(args)) return kOk;
  check_run_outputs(options);
  check_topics_options(options);
  keep_freed_memory();
  const auto& directory = options.get<std::string>("index");
  const Share share = share_of(ranks, directory);
  const std::vector<corpora::Topic> topics = topics_of_all(ranks, options);

  const auto index =
      std::make_shared<const index::Index>(index::open_shards(directory, share.first, share.last));
  const InterruptGuard guard;
  TopicRunOptions run = topic_run_options(options, *index, guard.token());
  const query::Searcher searcher = open_searcher(index, options, ranks.number_on_host());
  const RankSearch search(ranks, searcher, share.base, run.search);
  run.answer = [&](std::span<const query::Plan> plans, query::Report& report) {
    return search.search(plans, report);
  };

  // The first rank writes, tells documents of all shards by their ids, and has all their terms.
  std::optional<RunFiles> files;
  std::shared_ptr<const index::Index> whole;
  TopicOutputs outputs;
  if (ranks.is_first()) whole = open_index(options);
  run.query.expansions = expansions_of_all(ranks, run, topics, whole.get());
  if (ranks.is_first()) {
    files.emplace(options, guard.token());
    outputs = files->outputs();
    outputs.index = whole.get();
  }
  Progress progress(options.has("quiet") || !ranks.is_first());
  TopicOutcome outcome = run_topics(searcher, run, topics, outputs, [&](std::size_t done) {
    progress.update("queries", done, topics.size());
  });
  throw_if_stopped(guard.token());
  if (files) files->close();
  ranks.agree();
  add_up(ranks, outcome.report);
  if (ranks.is_first()) print_outcome(options, outcome);
  return outcome.skipped.empty() ? kOk : kSkipped;
}

}  // namespace gannet::tools
