// What `gannet run` writes.
#pragma once

#include <memory>
#include <stop_token>

#include "tools/options/option_set.hpp"
#include "tools/search/topic_runner.hpp"

namespace gannet::tools {

/// The outputs that the options name, each a file or stdout. Files appear when they are complete;
/// destroyed before close(), nothing does. Not thread-safe.
class RunFiles {
 public:
  /// Throws IoError.
  RunFiles(const OptionSet& options, const std::stop_token& stop);
  ~RunFiles();

  /// For run_topics(); valid as long as this object.
  TopicOutputs outputs();
  /// All is written. Throws IoError.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Says what was run: to stdout, or to stderr if an output has taken that; and on stderr which
/// topics were skipped.
void print_outcome(const OptionSet& options, const TopicOutcome& outcome);

}  // namespace gannet::tools
