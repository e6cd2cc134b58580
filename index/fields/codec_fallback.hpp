// A column that its field's codec could not code.
#pragma once

#include <string>

namespace gannet::index {

/// A column whose values its field's codec cannot take, so that another one coded it. The schema
/// keeps what was asked for.
struct CodecFallback {
  std::string field = {};
  std::string wanted = {};  ///< FieldSpec::codec
  std::string used = {};
  std::string why = {};  ///< "its codes take 64 bits"
  bool operator==(const CodecFallback&) const = default;
};

}  // namespace gannet::index
