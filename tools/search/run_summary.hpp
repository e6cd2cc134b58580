// What `gannet run` says of itself when it is done.
#pragma once

#include <string>

#include "tools/options/option_set.hpp"
#include "tools/search/topic_runner.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {

/// What was run, what it found, and how long it took, as an object of JSON.
Json run_summary_json(const OptionSet& options, const TopicOutcome& outcome);

/// The same in a few lines for people.
std::string run_summary(const OptionSet& options, const TopicOutcome& outcome);

}  // namespace gannet::tools
