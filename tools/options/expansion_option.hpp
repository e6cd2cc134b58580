// The options that ask for query expansion.
#pragma once

#include <optional>
#include <string>

#include "query/options/dependence.hpp"
#include "query/options/expansion.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// The expansion of plans that the options ask for; nothing if they ask for none, or for pairs of
/// words. Throws UsageError.
std::optional<query::Expansion> expansion_option(const OptionSet& options);

/// The pairs of words that the options ask for, `--expand sdm`, which queries have themselves
/// (Query::dependence). Throws UsageError.
std::optional<query::SequentialDependence> dependence_option(const OptionSet& options);

/// Whichever there is with its parameters; empty if there is none.
std::string expansion_text(const std::optional<query::Expansion>& expansion,
                           const std::optional<query::SequentialDependence>& dependence);

}  // namespace gannet::tools
