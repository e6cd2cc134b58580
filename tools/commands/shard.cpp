// gannet shard: cuts an index into shards, or joins shards to an index.
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/split/split.hpp"
#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"
#include "tools/options/table/building.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/json.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {
namespace {

constexpr HelpText kShardHelp{
    "gannet shard (IDX --shards N | --join SET) --output FOLDER [OPTIONS]",
    R"(
Cuts an index into N shards of as many documents: FOLDER/shard-0000, shard-0001 ..., each an
index by itself, and FOLDER/shards.json, which makes them a set. What takes an index to search
takes a set as well, and gives the same answers; `mpirun gannet run --mpi` gives each process
its shards. The index stays as it is; deleted documents are left out.

--join writes the documents of a set as one index again: the bytes that building it at once
gives. A shard that was changed, or is another set's, is refused.)",
    R"(
  gannet shard idx --shards 4 --output idx-shards
  gannet shard --join idx-shards --output idx)"};

/// What was written.
struct Outcome {
  std::size_t shards = 0;
  std::uint64_t documents = 0;
  double seconds = 0;
};

Outcome run(const OptionSet& options) {
  const auto start = std::chrono::steady_clock::now();
  index::ShardOptions shard;
  shard.memory = options.get<std::uint64_t>("memory");
  shard.threads = options.get<unsigned>("threads");
  const InterruptGuard guard;
  shard.stop = guard.token();
  Progress progress(options.has("quiet"));
  shard.progress = [&](std::string_view stage, std::uint64_t done, std::uint64_t total) {
    progress.update(stage, done, total, ProgressUnit::kCount);
  };
  const auto& output = options.get<std::string>("output");
  Outcome outcome;
  if (options.has("join")) {
    const auto& set = options.get<std::string>("join");
    outcome.shards = index::read_shard_set(set).size();
    outcome.documents = index::join_shards(set, output, shard).documents;
  } else {
    const auto shards = options.get<std::uint32_t>("shards");
    const auto made = index::split_index(options.get<std::string>("index"), output, shards, shard);
    outcome.shards = made.size();
    outcome.documents = made.back().docid_base + made.back().documents;
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return outcome;
}

void check(const OptionSet& options) {
  if (options.has("join") && (options.has("index") || options.has("shards"))) {
    throw UsageError("--join takes a set of shards, and no index or --shards");
  }
  if (options.has("join")) return;
  if (!options.has("shards")) throw UsageError("--shards, how many there are to be, is missing");
}

}  // namespace

int cmd_shard(Args args) {
  OptionSet options(kShardHelp);
  options.add(options::kShardOptions);
  options.index_if_named();
  if (!options.parse(args)) return kOk;
  if (!options.has("join")) options.need_index();
  check(options);
  const Outcome outcome = run(options);
  const auto& output = options.get<std::string>("output");
  if (options.json()) {
    print_result("shard", {{"output", output},
                           {"shards", outcome.shards},
                           {"documents", outcome.documents},
                           {"seconds", outcome.seconds}});
  } else if (!options.has("quiet")) {
    print("{} of {} are {} {} in {}\n", counted(outcome.documents, "document"),
          counted(outcome.shards, "shard"), options.has("join") ? "joined in" : "in",
          printable(output), human_seconds(outcome.seconds));
  }
  return kOk;
}

}  // namespace gannet::tools
