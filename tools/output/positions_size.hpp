// How much an index spends on positions.
#pragma once

#include <cstdint>

#include "index/index.hpp"

namespace gannet::tools {

/// Positions of all texts, as many as tokens, and the bytes of their files, with spans of documents
/// and tables.
struct PositionsSize {
  std::uint64_t number = 0;
  std::uint64_t bytes = 0;  ///< 0: the index has no positions

  bool there() const { return bytes != 0; }
  /// 0 for no position.
  double bits() const {
    return number == 0 ? 0 : 8.0 * static_cast<double>(bytes) / static_cast<double>(number);
  }
};

/// Those of all segments. O(segments and text fields).
PositionsSize positions_size(const index::Index& index);

}  // namespace gannet::tools
