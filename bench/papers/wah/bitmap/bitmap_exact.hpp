// Exact answers to queries by values: the rows of a bin that lies only partly inside a range are
// compared with the range by their values in the column (the "candidate check"). All functions are
// thread-safe.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/papers/wah/bitmap/bitmap_index.hpp"

namespace gannet::wah {

/// The column of an attribute: one key for each row.
using KeyColumn = std::span<const BinKey>;

/// The rows of `candidates` whose values lie in all the ranges, in the order of `candidates`.
/// columns[a] is the column of attribute a. Only the columns of attributes in `ranges` are read.
/// The arguments are not checked: these columns must exist and have all candidates.
std::vector<std::uint32_t> check_candidates(std::span<const std::uint32_t> candidates,
                                            std::span<const KeyColumn> columns,
                                            std::span<const ValueRange> ranges);

/// The rows whose values lie in all the ranges, ascending. All rows if there are no ranges.
/// columns[a] is the column of attribute a. Only the columns of attributes in `ranges` are needed,
/// and of them only rows are read that touching() selects and inside() does not. Throws UsageError
/// if an attribute of a range does not exist in the index, or if its column is missing or has
/// another number of rows than the index.
template <class Word>
std::vector<std::uint32_t> exact_rows(const BitmapIndex<Word>& index,
                                      std::span<const KeyColumn> columns,
                                      std::span<const ValueRange> ranges);

}  // namespace gannet::wah
