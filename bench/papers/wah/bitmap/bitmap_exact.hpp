// Exact answers to queries in terms of values: rows of bins that are only partly inside a range are
// looked up in their columns (the "candidate check").
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/papers/wah/bitmap/bitmap_index.hpp"

namespace gannet::wah {

/// An attribute's column: one key a row.
using KeyColumn = std::span<const BinKey>;

/// The rows of `candidates` (ascending) whose values lie in all the ranges. columns[a] is the
/// column of attribute a; only those of attributes in `ranges` are read. Thread-safe.
std::vector<std::uint32_t> check_candidates(std::span<const std::uint32_t> candidates,
                                            std::span<const KeyColumn> columns,
                                            std::span<const ValueRange> ranges);

/// The rows, ascending, whose values lie in all the ranges, exactly. Only rows that some partly
/// covered bin makes doubtful are looked up. Throws UsageError for attributes or columns that do
/// not exist or have another number of rows. Thread-safe.
template <class Word>
std::vector<std::uint32_t> exact_rows(const BitmapIndex<Word>& index,
                                      std::span<const KeyColumn> columns,
                                      std::span<const ValueRange> ranges);

}  // namespace gannet::wah
