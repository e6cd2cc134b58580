// What `gannet run` is told: its options, and what they mean for an index.
#pragma once

#include <stop_token>

#include "corpora/evaluation/trec_run.hpp"
#include "index/index.hpp"
#include "tools/options/option_set.hpp"
#include "tools/search/topic_runner.hpp"

namespace gannet::tools {

/// The help of `gannet run`.
HelpText run_help();
/// Declares all of its options.
void declare_run_options(OptionSet& options);
/// Throws UsageError for outputs that are missing, do not go together, or are there already.
void check_run_outputs(const OptionSet& options);
/// Whether an output (an option's name) is asked for, and goes to stdout.
bool is_to_stdout(const OptionSet& options, const char* output);

/// How topics are to be run over this index. Throws UsageError.
TopicRunOptions topic_run_options(const OptionSet& options, const index::Index& index,
                                  const std::stop_token& stop);

}  // namespace gannet::tools
