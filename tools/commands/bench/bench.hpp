// The parts of `gannet bench`.
#pragma once

#include "tools/commands/command.hpp"

namespace gannet::tools {

int cmd_bench_codecs(Args args);
int cmd_bench_decode(Args args);
int cmd_bench_query(Args args);

}  // namespace gannet::tools
