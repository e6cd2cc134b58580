// The plan of a query as JSON.
#pragma once

#include "query/plan/plan.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {

/// What `--plan` says of a plan: "want", "terms", "words" of BM25F, and "matches", the
/// expression as a tree of {"op": "and", "of": [...]}. The manual's page on JSON has the members.
Json json_of(const query::Plan& plan);

}  // namespace gannet::tools
