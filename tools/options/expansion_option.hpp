// The options that ask for query expansion.
#pragma once

#include <optional>

#include "query/options/expansion.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// What the options ask for; nothing if they ask for none. Throws UsageError.
std::optional<query::Expansion> expansion_option(const OptionSet& options);

}  // namespace gannet::tools
