// Errors of a command as one line on stderr and an exit code.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <string_view>

#include "tools/commands/command.hpp"

namespace gannet::tools {

/// What an exception means to whoever typed the command.
struct Failure {
  ExitCode code = kInternal;
  std::string message;
};
Failure failure_of(const std::exception_ptr& error);

/// Prints it, as one line, whatever a file name in the message contains, and returns the code.
int report(std::string_view who, const Failure& failure);

/// Runs `work`, which returns an exit code; `who` begins the line of an error, "gannet index".
int run_guarded(std::string_view who, const std::function<int()>& work);

}  // namespace gannet::tools
