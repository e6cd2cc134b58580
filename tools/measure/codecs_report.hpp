// Output of `gannet bench codecs`: tables and JSON.
#pragma once

#include <string>
#include <vector>

#include "tools/measure/codecs.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {

/// A table a column and, of several columns, one of all: bits per value over all values, geometric
/// means of the speeds.
std::string codecs_tables(const CodecsPlan& plan, const std::vector<CodecResult>& results);

/// Everything, as a JSON object.
Json codecs_json(const CodecsPlan& plan, const std::vector<CodecResult>& results);

}  // namespace gannet::tools
