// Commands that several processes run together, as mpirun starts them.
#pragma once

#include <string>

#include "tools/commands/command.hpp"

namespace gannet::tools {

/// Whether the arguments have --mpi.
bool asks_for_ranks(Args args);

/// Goes on as `gannet-mpi COMMAND ARGS...`, the program beside this one that knows MPI; so this one
/// needs none. Comes back only by an exception: UsageError if there is no such program.
int run_as_rank(const std::string& command, Args args);

}  // namespace gannet::tools
