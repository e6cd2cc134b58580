// The values of single documents, to be shown with hits.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/index.hpp"

namespace gannet::query {

/// The values of one field of one document, ascending: numbers, dates and times as value_text()
/// spells them, keywords as they are. A stored field has one text. Empty: the document does not
/// have the field.
using FieldValues = std::vector<std::string>;

/// The numbers of fields in the schema, in the order of `names`. Throws UsageError for a name that
/// the schema does not have, and for a text field, which has words and no values. `what` begins the
/// message of the error: "fields".
std::vector<std::size_t> field_numbers(const index::Schema& schema,
                                       std::span<const std::string> names, std::string_view what);

/// The values of fields in documents: result[d][f] belongs to docids[d] and fields[f]. `fields` are
/// numbers from field_numbers(); `docids` are docids of the index in any order. The call runs on
/// the calling thread, sorts the docids, and decodes each block of a column that has one of them
/// once for each entry of `fields`. Throws UsageError for a docid or a field number out of range,
/// FormatError for damaged blocks. Thread-safe.
std::vector<std::vector<FieldValues>> field_values(const index::Index& index,
                                                   std::span<const std::size_t> fields,
                                                   std::span<const std::uint32_t> docids);

}  // namespace gannet::query
