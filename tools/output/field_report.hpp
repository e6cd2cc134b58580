// What an index says of the fields of its documents.
#pragma once

#include "index/index.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {

/// Of each field: type, documents that have it, values, different strings of keywords, codecs with
/// the values that each codes, bits per value, bytes; of stored texts their bytes, and those that
/// each codec codes. Throws FormatError if a column is damaged.
Json fields_json(const index::Index& index);

/// The same as a table; nothing if there are no fields.
void print_fields(const index::Index& index);

}  // namespace gannet::tools
