// Fields of a schema by name, and values of columns as texts and numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "index/fields/field_column.hpp"
#include "index/fields/schema.hpp"
#include "query/columns/access/workers.hpp"

namespace gannet::query {

/// The number of a field. Throws UsageError that says which fields there are; `what` is what it was
/// asked for: "sort".
std::size_t field_number(const index::Schema& schema, std::string_view name, std::string_view what);
/// Throws UsageError that names all names which no field has, with the nearest one of each; fields
/// of any type are there.
void check_names(const index::Schema& schema, std::span<const std::string> names,
                 std::string_view what);
/// The number of a field, for what needs values in an order: UsageError, too, for stored texts.
std::size_t column_number(const index::Schema& schema, std::string_view name,
                          std::string_view what);

/// The value with this code, as value_text() or the dictionary spells it. Throws FormatError for a
/// code beyond the dictionary.
std::string text_of(const index::FieldColumn& column, std::uint64_t code);

/// The code of a keyword; nothing if the dictionary has none such.
std::optional<std::uint64_t> code_of_text(const index::FieldColumn& column, std::string_view text);
/// The code of the value with this key, not of a keyword; nothing if it has no code.
std::optional<std::uint64_t> code_of_key(const index::FieldColumn& column, std::uint64_t key);

/// Throws FormatError: a code is beyond what the column's blocks promise, so that counts have no
/// room for it.
[[noreturn]] void fail_code(const index::FieldColumn& column);

/// Matches without the field.
std::uint64_t count_missing(const ColumnContext& context, std::size_t field);

}  // namespace gannet::query
