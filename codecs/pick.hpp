// Random access on the host: single values of an encoded column, and the sum of the values that a
// bit vector selects. codecs/device/pick.hpp has the functions for the device, with equal results.
// All functions are thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codecs/columns.hpp"

namespace gannet::codecs {

/// An encoded column of `count` values in host memory, not owned. The codec's validate() must have
/// accepted the words.
struct ColumnView {
  const Codec* codec = nullptr;
  ValueType type = {};
  std::span<const std::uint32_t> words = {};
  std::uint32_t count = 0;
};

/// Writes value positions[i] of the column to element i of `out`, an array of positions.size()
/// values of the column's type. Positions may repeat and have any order. Decodes one tile or chunk
/// for each position, but only one for consecutive positions in the same tile or chunk. Uses memory
/// for one tile or chunk. Throws UsageError if a position is not less than the column's count; the
/// values of the positions before it are written by then.
void pick(const ColumnView& column, std::span<const std::uint32_t> positions, std::byte* out);

/// The number of selected values and their sum.
struct Selected {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;  ///< modulo 2^64; for signed types to be read as std::int64_t
};

/// Adds up the values whose bits are set: bit i % 32 of bits[i / 32] stands for value i. Bits
/// beyond the column's count are ignored. Decodes each tile or chunk with a set bit once, and no
/// others.
/// Throws UsageError if `bits` has fewer than ceil(count / 32) words.
Selected sum_selected(const ColumnView& column, std::span<const std::uint32_t> bits);

}  // namespace gannet::codecs
