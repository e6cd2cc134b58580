// What every command gets and returns.
#pragma once

#include <span>
#include <string>

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
  kSkipped = 8,        ///< done, but for queries that are none, or files (--on-error skip)
  kBusy = 9,           ///< another process writes to the index
  kTimeout = 124,      ///< --timeout was over before the work was done
  kInterrupted = 130,  ///< Ctrl-C
};

}  // namespace gannet::tools
