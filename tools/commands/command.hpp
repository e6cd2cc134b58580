// What a subcommand of `gannet` is: main.cpp lists them, cmd_<name>.cpp holds each.
#pragma once

#include <span>
#include <string_view>

#include "tools/terminal/exit_code.hpp"

namespace gannet::tools {

/// A subcommand. `run` prints data on stdout, returns an ExitCode, and throws the types of
/// codecs/base/error.hpp, which main() turns into one line on stderr and an exit code.
struct Command {
  std::string_view name;
  std::string_view summary;  ///< one line for `gannet --help`
  int (*run)(Args args);
  std::span<const Command> (*parts)() = nullptr;  ///< of `gannet bench decode`
};

int cmd_demo(Args args);
int cmd_index(Args args);
int cmd_add(Args args);
int cmd_update(Args args);
int cmd_delete(Args args);
int cmd_merge(Args args);
int cmd_set_codec(Args args);
int cmd_reorder(Args args);
int cmd_shard(Args args);
int cmd_search(Args args);
int cmd_suggest(Args args);
int cmd_get(Args args);
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
std::span<const Command> bench_parts();
int cmd_version(Args args);

}  // namespace gannet::tools
