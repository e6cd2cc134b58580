// The values that single documents have, to be shown with hits.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/index.hpp"

namespace gannet::query {

/// The values of one field of one document, as value_text() or the dictionary spells them,
/// ascending, or its stored text; none: it lacks the field.
using FieldValues = std::vector<std::string>;

/// The numbers of fields in the schema, in the order of the names. Throws UsageError for a name
/// that the schema has not; `what` says what they are for.
std::vector<std::size_t> field_numbers(const index::Schema& schema,
                                       std::span<const std::string> names, std::string_view what);

/// The values of these fields in these documents, in any order: [document][field]. A block of a
/// column is decoded at most once. Throws FormatError for damaged blocks, UsageError for docids and
/// fields that there are not. Thread-safe.
std::vector<std::vector<FieldValues>> field_values(const index::Index& index,
                                                   std::span<const std::size_t> fields,
                                                   std::span<const std::uint32_t> docids);

}  // namespace gannet::query
