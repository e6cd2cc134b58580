// Reordering an index, for commands.
#pragma once

#include <string>

#include "index/reorder.hpp"
#include "tools/options/option_set.hpp"
#include "tools/terminal/interrupt.hpp"
#include "tools/terminal/progress.hpp"

namespace gannet::tools {

/// What reordering needs while it runs: the stop token, progress, the list of ids.
class OrderRun {
 public:
  /// Of --memory, --threads and --quiet, which must stay.
  explicit OrderRun(const OptionSet& options);

  index::ReorderOptions& options() { return options_; }
  /// `order` as --order has it. Throws UsageError that names the option.
  index::ReorderReport reorder(const std::string& index, const std::string& order);

 private:
  InterruptGuard guard_;
  Progress progress_;
  index::ReorderOptions options_;
};

/// Throws UsageError that names the option, unless --order is one for an index with these fields.
void check_order(const std::string& order, const index::Schema& schema);

/// The summary of a report.
void print_order(const std::string& index, const index::ReorderReport& report);

}  // namespace gannet::tools
