// The `gannet` command: finds the subcommand, runs it, and turns errors into exit codes.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/base/error.hpp"
#include "index/text/words/suggest.hpp"
#include "tools/commands/bench/bench.hpp"
#include "tools/commands/command.hpp"
#include "tools/commands/guarded.hpp"
#include "tools/terminal/kernel_loading.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/standard_descriptors.hpp"

namespace gannet::tools {
namespace {

constexpr std::array kCommands{
    Command{"index", "build an index from documents", cmd_index},
    Command{"add", "add documents to an index", cmd_add},
    Command{"update", "add documents in the place of those with their ids", cmd_update},
    Command{"delete", "delete documents of an index", cmd_delete},
    Command{"merge", "merge the segments that adding has made", cmd_merge},
    Command{"set-codec", "give a field of an index another codec", cmd_set_codec},
    Command{"reorder", "give the documents of an index another order", cmd_reorder},
    Command{"shard", "cut an index into shards, or join shards", cmd_shard},
    Command{"search", "ask an index one query, or some", cmd_search},
    Command{"run", "run a topics file in batch and write a TREC run file", cmd_run},
    Command{"eval", "score a run file against relevance judgements", cmd_eval},
    Command{"inspect", "statistics of an index, a term or a column file", cmd_inspect},
    Command{"verify", "check every byte of an index or a column file", cmd_verify},
    Command{"repair", "save what is whole of a damaged index", cmd_repair},
    Command{"export", "write an index in another program's format", cmd_export},
    Command{"generate", "make a synthetic collection or synthetic lists", cmd_generate},
    Command{"encode", "encode a column of integers", cmd_encode},
    Command{"decode", "decode a column file, or a part of it", cmd_decode},
    Command{"bench", "measure codecs, decoding and querying", cmd_bench},
    Command{"version", "version, back ends and libraries", cmd_version},
};

std::string general_help() {
  std::string text =
      R"(gannet: a search engine whose inverted index stays compressed in GPU memory

Usage: gannet COMMAND [OPTIONS]
       gannet help COMMAND     what a command does, with examples

Commands:
)";
  for (const Command& command : kCommands) {
    text += fmt::format("  {:<11}{}\n", command.name, command.summary);
  }
  text +=
      R"(
A first session:
  gannet index docs.jsonl.gz -o idx --store
  gannet search idx 'solar +wind -nuclear'
  gannet run idx --topics queries.tsv --output bm25.run
  gannet eval --qrels qrels.txt --run bm25.run

The index is the first word of a command, or what --index says, or GANNET_INDEX.
Data goes to stdout, messages to stderr. Every command takes --json: one object, and errors
as one, too, on stderr.
Exit codes: 0 done; 1 the answer is no (verify found problems); 2 wrong command line
or query; 3 malformed input; 4 a file cannot be read or written; 5 no GPU or a GPU error;
6 anything else; 7 a damaged index; 8 done, but for queries that were skipped; 124 not done
within --timeout; 130 interrupted.
)";
  return text;
}

const Command* find_command(std::string_view name) {
  const auto* const found = std::find_if(kCommands.begin(), kCommands.end(),
                                         [&](const Command& c) { return c.name == name; });
  return found == kCommands.end() ? nullptr : found;
}

[[noreturn]] void fail_unknown(std::string_view name) {
  std::vector<std::string> names;
  names.reserve(kCommands.size());
  for (const Command& command : kCommands) names.emplace_back(command.name);
  throw UsageError(fmt::format("unknown command '{}'{}; 'gannet --help' lists the commands", name,
                               index::did_you_mean(name, names)));
}

int help(Args args) {
  if (args.empty()) {
    print("{}", general_help());
    return kOk;
  }
  const Command* const command = find_command(args[0]);
  if (command == nullptr) fail_unknown(args[0]);
  std::vector<std::string> forwarded(args.begin() + 1, args.end());
  forwarded.emplace_back("--help");
  return command->run(forwarded);
}

int dispatch(Args args) {
  if (args.empty()) {
    print(stderr, "{}", general_help());
    return kUsage;
  }
  const std::string& first = args[0];
  if (first == "--help" || first == "-h" || first == "help") return help(args.subspan(1));
  if (first == "--version" || first == "-V") return cmd_version(args.subspan(1));
  const Command* const command = find_command(first);
  if (command == nullptr) fail_unknown(first);
  return command->run(args.subspan(1));
}

/// What begins the line of an error: "gannet search", "gannet bench decode".
std::string name_of_command(Args args) {
  if (args.empty() || find_command(args[0]) == nullptr) return "gannet";
  const bool part = args[0] == "bench" && args.size() > 1 && is_bench_part(args[1]);
  return "gannet " + args[0] + (part ? " " + args[1] : "");
}

}  // namespace
}  // namespace gannet::tools

int main(int argc, char** argv) {
  using namespace gannet::tools;
  hold_standard_descriptors();
  load_kernels_early();
  ignore_file_size_signal();
  const std::vector<std::string> args(argv + 1, argv + std::max(argc, 1));
  return run_guarded(name_of_command(args), asks_for_json(args), [&] { return dispatch(args); });
}
