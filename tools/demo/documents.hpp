// The collection of `gannet demo`.
#pragma once

#include <string_view>

namespace gannet::tools {

/// documents.jsonl, which is inside the command: a line of JSON for each document.
std::string_view demo_documents();

}  // namespace gannet::tools
