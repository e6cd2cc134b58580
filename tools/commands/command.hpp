// What a subcommand of `gannet` is: main.cpp lists them, cmd_<name>.cpp holds each.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gannet::tools {

/// The arguments after the subcommand's name.
using Args = std::span<const std::string>;

/// Exit codes; documented in `gannet --help`, so never renumbered.
enum ExitCode : int {
  kOk = 0,
  kNegative = 1,       ///< it worked, and the answer is no (verify found problems)
  kUsage = 2,          ///< wrong command line or query
  kBadInput = 3,       ///< an input is malformed, or of a newer version
  kIo = 4,             ///< a file cannot be read or written
  kGpu = 5,            ///< there is no GPU, or it failed
  kInternal = 6,       ///< anything else (out of memory, a bug)
  kDamaged = 7,        ///< an index is damaged
  kSkipped = 8,        ///< done, but for queries that are none (--on-error skip)
  kTimeout = 124,      ///< --timeout was over before the work was done
  kInterrupted = 130,  ///< Ctrl-C
};

/// A subcommand. `run` prints data on stdout, returns an ExitCode, and throws the types of
/// codecs/base/error.hpp, which main() turns into one line on stderr and an exit code.
struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line for `gannet --help`
  int (*run)(Args args);
};

int cmd_index(Args args);
int cmd_add(Args args);
int cmd_update(Args args);
int cmd_delete(Args args);
int cmd_merge(Args args);
int cmd_set_codec(Args args);
int cmd_reorder(Args args);
int cmd_shard(Args args);
int cmd_search(Args args);
int cmd_run(Args args);
int cmd_eval(Args args);
int cmd_inspect(Args args);
int cmd_verify(Args args);
int cmd_repair(Args args);
int cmd_export(Args args);
int cmd_generate(Args args);
int cmd_encode(Args args);
int cmd_decode(Args args);
int cmd_bench(Args args);
int cmd_version(Args args);

}  // namespace gannet::tools
