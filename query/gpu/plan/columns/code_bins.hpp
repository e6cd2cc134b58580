// The bins of a histogram as the codes of a segment have them.
#pragma once

#include <cstdint>
#include <vector>

#include "index/fields/field_column.hpp"
#include "query/backend/column_work.hpp"

namespace gannet::query::cuda {

/// Those that codes of the segment can be in.
struct CodeBins {
  std::uint64_t first = 0;                 ///< the number of the first of them
  std::vector<std::uint32_t> firsts = {};  ///< BinSlots::firsts; empty: no document has the field

  /// `column`: with codes of 32 bits.
  static CodeBins of(const BinsWanted& wanted, const index::FieldColumn& column);
};

}  // namespace gannet::query::cuda
