// Names of field types, as options, schema files and manifests spell them.
#pragma once

#include <string>
#include <string_view>

#include "index/fields/schema.hpp"

namespace gannet::index {

/// Sets the members of `field` that belong to its type: type, bits, is_signed and scale. Returns
/// false, and leaves `field` unchanged, if no type has this name.
bool set_type(FieldSpec& field, std::string_view name);
/// The message for a name that set_type() does not know. It lists the types.
std::string unknown_type(std::string_view name);

}  // namespace gannet::index
