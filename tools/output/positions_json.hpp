// The size of positions in JSON, as inspect and verify print it.
#pragma once

#include "tools/output/positions_size.hpp"
#include "tools/terminal/json.hpp"

namespace gannet::tools {

/// null for an index without.
inline Json json_of(const PositionsSize& size) {
  if (!size.there()) return nullptr;
  return {{"number", size.number}, {"bytes", size.bytes}, {"bits_per_position", size.bits()}};
}

}  // namespace gannet::tools
