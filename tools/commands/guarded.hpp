// Errors of a command as one line on stderr, of text or of JSON, and an exit code.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "tools/commands/command.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {

/// What an exception means to whoever typed the command.
struct Failure {
  ExitCode code = kInternal;
  std::string message;
  /// In the query or the filter where the mistake is, in characters from 1.
  std::optional<std::size_t> column = {};
};
Failure failure_of(const std::exception_ptr& error);
/// {"code": "usage", "exit_code": 2, "message": ..., "column": ...}
Json json_of(const Failure& failure);

/// "usage", "input", "io", "gpu", "internal", "damaged", "busy", "timeout", "interrupted": what
/// JSON calls the code of a failure.
std::string_view name_of(ExitCode code);

/// Whether the arguments have --json.
bool asks_for_json(Args args);

/// Prints it, as one line, whatever a file name in the message contains, and returns the code.
/// `json`: as {"version", "command", "error": {"code", "exit_code", "message", "column"}}.
int report(std::string_view who, const Failure& failure, bool json);

/// Runs `work`, which returns an exit code; `who` begins the line of an error, "gannet index".
/// `json`: errors are JSON, too.
int run_guarded(std::string_view who, bool json, const std::function<int()>& work);

}  // namespace gannet::tools
