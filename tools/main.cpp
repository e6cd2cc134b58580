// The `gannet` command: finds the subcommand, runs it, and turns errors into exit codes.
#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "tools/commands/command.hpp"
#include "tools/commands/guarded.hpp"
#include "tools/commands/help/help.hpp"
#include "tools/terminal/kernel_loading.hpp"
#include "tools/terminal/print.hpp"
#include "tools/terminal/standard_descriptors.hpp"

namespace gannet::tools {
namespace {

int cmd_help(Args args);
int cmd_completion(Args args);

constexpr std::array kCommands{
    Command{"demo", "search a small collection that is inside this program", cmd_demo},
    Command{"index", "build an index from documents", cmd_index},
    Command{"add", "add documents to an index", cmd_add},
    Command{"update", "add documents in the place of those with their ids", cmd_update},
    Command{"delete", "delete documents of an index", cmd_delete},
    Command{"merge", "merge the segments that adding has made", cmd_merge},
    Command{"set-codec", "give a field of an index another codec", cmd_set_codec},
    Command{"reorder", "give the documents of an index another order", cmd_reorder},
    Command{"shard", "cut an index into shards, or join shards", cmd_shard},
    Command{"search", "ask an index one query, or some", cmd_search},
    Command{"suggest", "complete a word by the terms of an index", cmd_suggest},
    Command{"get", "print documents by their ids", cmd_get},
    Command{"run", "run a topics file in batch and write a TREC run file", cmd_run},
    Command{"eval", "score a run file against relevance judgements", cmd_eval},
    Command{"inspect", "statistics of an index, a term or a column file", cmd_inspect},
    Command{"verify", "check every byte of an index or a column file", cmd_verify},
    Command{"repair", "save what is whole of a damaged index", cmd_repair},
    Command{"export", "write an index in another program's format", cmd_export},
    Command{"generate", "make a synthetic collection or synthetic lists", cmd_generate},
    Command{"encode", "encode a column of integers", cmd_encode},
    Command{"decode", "decode a column file, or a part of it", cmd_decode},
    Command{"bench", "measure codecs, decoding and querying", cmd_bench, bench_parts},
    Command{"version", "version, back ends and libraries", cmd_version},
    Command{"help", "what a command does, with examples; manual pages", cmd_help},
    Command{"completion", "a script by which a shell completes commands", cmd_completion},
};

constexpr HelpText kGeneralHelp{"gannet COMMAND [OPTIONS]",
                                R"(
The index is what --index says, or the first word of a command, or GANNET_INDEX.
Data goes to stdout, messages to stderr. Every command takes --json: one object, and errors
and notes as lines of JSON, too, on stderr.
Exit codes: 0 done; 1 the answer is no (verify found problems); 2 wrong command line
or query; 3 malformed input; 4 a file cannot be read or written; 5 no GPU or a GPU error;
6 anything else; 7 a damaged index; 8 done, but for queries that were skipped or input files
that end too early; 9 another process writes to the index; 124 not done within --timeout;
130 interrupted.)",
                                R"(
  gannet index docs.jsonl.gz -o idx --store
  gannet search idx 'solar +wind -nuclear'
  gannet run idx --topics queries.tsv --output bm25.run
  gannet eval --qrels qrels.txt --run bm25.run)"};
constexpr Program kGannet{"a search engine whose inverted index stays compressed in GPU memory",
                          kGeneralHelp, kCommands};

int cmd_help(Args args) { return print_help(kGannet, args); }
int cmd_completion(Args args) { return print_completion(kGannet, args); }

int dispatch(Args args) {
  if (args.empty()) {
    print(stderr, "{}", general_help(kGannet));
    return kUsage;
  }
  const std::string& first = args[0];
  if (first == "--help" || first == "-h") return cmd_help(args.subspan(1));
  if (first == "--version" || first == "-V") return cmd_version(args.subspan(1));
  const Command* const command = find_command(kCommands, first);
  if (command == nullptr) fail_unknown(kCommands, first);
  return command->run(args.subspan(1));
}

/// What begins the line of an error: "gannet search", "gannet bench decode".
std::string name_of_command(Args args) {
  std::string name = "gannet";
  std::span<const Command> commands = kCommands;
  for (const std::string& word : args) {
    const Command* const command = find_command(commands, word);
    if (command == nullptr) break;
    name += " " + word;
    if (command->parts == nullptr) break;
    commands = command->parts();
  }
  return name;
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
