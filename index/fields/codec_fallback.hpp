// A column that the codec of its field cannot encode.
#pragma once

#include <string>

namespace gannet::index {

/// Reports a column of a segment whose values the codec of its field cannot encode, so that another
/// codec encoded it. The schema keeps the codec that was asked for.
struct CodecFallback {
  std::string field = {};   ///< name
  std::string wanted = {};  ///< FieldSpec::codec
  std::string used = {};    ///< the codec that encoded the column: "auto" chooses one per block
  std::string why = {};     ///< the reason, for messages: "its codes take 64 bits"
  bool operator==(const CodecFallback&) const = default;
};

}  // namespace gannet::index
