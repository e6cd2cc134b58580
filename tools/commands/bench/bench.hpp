// The parts of `gannet bench`.
#pragma once

#include "tools/commands/command.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// Throws UsageError if --output is there already, before anything is measured.
void check_bench_output(const OptionSet& options);

int cmd_bench_codecs(Args args);
int cmd_bench_decode(Args args);
int cmd_bench_query(Args args);

}  // namespace gannet::tools
