// Why a document has its score, for people and as JSON.
#pragma once

#include <string>

#include "query/explain.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {

/// {"id", "docid", "matches", "score", "terms": [...], "words", "expansions", "filters",
/// "mismatches"}.
Json explanation_json(const std::string& id, index::Docid docid,
                      const query::Explanation& explanation);

/// The score, what each term or word adds to it, and why the document does not match, if so.
void print_explanation(const std::string& id, const query::Plan& plan,
                       const query::Explanation& explanation);

}  // namespace gannet::tools
