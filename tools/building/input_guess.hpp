// What a command that builds finds out where it is not told: the format of its input, and the name
// of its output.
#pragma once

#include <string>

#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// Gives --format the format of the input, and, in a command that has --output, that a name, unless
/// they are there; says so on stderr if `tell`. Throws UsageError, also for stdin that is named
/// twice, and IoError.
void settle_input(OptionSet& options, bool makes_index, bool tell = true);

/// The output that goes with an input: "news/docs.jsonl.zst" has "docs.gannet". Throws UsageError
/// for one without a name.
std::string default_output(const std::string& input);

}  // namespace gannet::tools
