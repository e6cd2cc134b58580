// Names of types, as options, schema files and manifests spell them.
#pragma once

#include <string>
#include <string_view>

#include "index/fields/schema.hpp"

namespace gannet::index {

/// Gives `field` the type with this name; false if there is none.
bool set_type(FieldSpec& field, std::string_view name);
/// What to say then.
std::string unknown_type(std::string_view name);

}  // namespace gannet::index
