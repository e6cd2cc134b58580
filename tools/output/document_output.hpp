// Stored documents, for people and as JSON.
#pragma once

#include <string>
#include <vector>

#include "index/index.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {

/// The numbers of the fields that have values: all but text fields, whose words are in the lists.
std::vector<std::size_t> value_fields(const index::Schema& schema);

/// {"id", "state": "live" or "deleted", "docid", "segment", "fields": {...}, "text"}; no text where
/// none is stored, no fields where the index has none.
Json document_json(const index::Index& index, const index::DocumentPlace& place);

/// The same as lines `name  value`, the text behind them.
void print_document(const index::Index& index, const index::DocumentPlace& place);

}  // namespace gannet::tools
