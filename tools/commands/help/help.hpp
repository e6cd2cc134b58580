// What gannet says of itself as a whole: its help, its manual pages and what shells complete.
#pragma once

#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// gannet itself.
struct Program {
  std::string_view summary;
  HelpText help;
  std::span<const Command> commands;
};

/// `gannet --help`.
std::string general_help(const Program& gannet);
/// `gannet help`.
int print_help(const Program& gannet, Args args);
/// `gannet completion`.
int print_completion(const Program& gannet, Args args);

/// Null if there is none.
const Command* find_command(std::span<const Command> commands, std::string_view name);
/// Throws UsageError, which names the nearest command.
[[noreturn]] void fail_unknown(std::span<const Command> commands, std::string_view name);

}  // namespace gannet::tools
