// What looks wrong about an index that was built without an error.
#pragma once

#include <string>
#include <vector>

#include "corpora/documents/field_use.hpp"
#include "index/builder.hpp"
#include "tools/options/option_set.hpp"

namespace gannet::tools {

/// A sentence for each sign that the input was misunderstood: no document, no word in any, a field
/// of the schema or of --fields that no document has. `index` is what was built with the options;
/// `report` what the builder said; `use` what the source noted of --fields, nullptr if it did not
/// read all. Opens the index, unless it is a set of shards. Throws what that throws.
std::vector<std::string> build_warnings(const OptionSet& options, const std::string& index,
                                        const index::BuildReport& report,
                                        const corpora::FieldUse* use);

}  // namespace gannet::tools
