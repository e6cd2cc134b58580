// What is wrong with a predicate, for messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "index/fields/schema.hpp"

namespace gannet::query {

/// " (did you mean 'year'?)" if a field of the schema has a name that is near; else nothing.
std::string field_meant(std::string_view name, const index::Schema& schema);
/// "there is no field 'x' (did you mean 'y'?); fields of this index: a, b".
std::string unknown_field(std::string_view name, const index::Schema& schema);
/// "fields of this index: a, b", or that there are none.
std::string fields_of(const index::Schema& schema);
/// What is wrong with a value of a field; nothing if it can have it.
std::optional<std::string> value_problem(const index::FieldSpec& field, std::string_view value);
/// What is wrong with a prefix on a field.
std::optional<std::string> prefix_problem(const index::FieldSpec& field);

}  // namespace gannet::query
