// What commands that build say when they are done.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "corpora/documents/field_use.hpp"
#include "index/builder.hpp"
#include "index/reorder.hpp"
#include "index/updates/merge.hpp"
#include "tools/options/option_set.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {

/// Prints the report of `gannet index`: what was skipped to stderr, and a summary to stdout, or
/// JSON. `index` is the folder; `use`: as in build_warnings(); `order`: what reordering it
/// afterwards did, nullptr if it was not; `shards`: how many, if it is a set of them. Returns the
/// exit code: kSkipped if files could not be read to their ends.
int print_report(const OptionSet& options, const std::string& index,
                 const index::BuildReport& report, const corpora::FieldUse* use,
                 const index::ReorderReport* order = nullptr, int shards = 0);

/// What merging segments after an add did.
struct AddedMerge {
  std::optional<index::MergeReport> report = {};  ///< nothing if it was not tried, or not done
  std::string problem = {};                       ///< why it was not done
};

/// Warns of fields that another codec coded than theirs, and tells how to change that.
void tell_fallbacks(const std::vector<index::CodecFallback>& fallbacks);
/// The same as JSON.
Json fallbacks_json(const std::vector<index::CodecFallback>& fallbacks);

/// As print_report(), of documents that came to an index by `command`.
int print_added(const OptionSet& options, const std::string& command, const std::string& index,
                const index::BuildReport& report, std::uint64_t added, const AddedMerge& merge);

}  // namespace gannet::tools
