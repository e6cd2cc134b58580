// Random access on the host: single values of an encoded column, and the values that a bit vector
// selects. codecs/device/pick.hpp has the same on the device, with the same answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codecs/columns.hpp"

namespace gannet::codecs {

/// An encoded column in host memory, not owned. Its words have passed the codec's validate().
struct ColumnView {
  const Codec* codec = nullptr;
  ValueType type = {};
  std::span<const std::uint32_t> words = {};
  std::uint32_t count = 0;
};

/// Writes value positions[i] to the i-th place of `out` (values of the column's type, aligned to
/// it). Decodes one tile or chunk for each position, and none again for positions that follow each
/// other in it. Throws UsageError if a position is not below the column's count. Thread-safe.
void pick(const ColumnView& column, std::span<const std::uint32_t> positions, std::byte* out);

/// How many values a bit vector selects, and their sum modulo 2^64 (signed types: its bits).
struct Selected {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
};

/// Sums the values whose bits are set: bit i % 32 of bits[i / 32] stands for value i. Every
/// tile or chunk with a set bit is decoded once, others are not. Throws UsageError if `bits` is too
/// short. Thread-safe.
Selected sum_selected(const ColumnView& column, std::span<const std::uint32_t> bits);

}  // namespace gannet::codecs
