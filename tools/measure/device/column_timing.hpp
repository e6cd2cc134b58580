// Measuring how fast the device decodes a column. Includes no CUDA header; in a build without CUDA
// every call throws NoDeviceError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "codecs/columns.hpp"

namespace gannet::measure {

struct ColumnTiming {
  double seconds = 0;     ///< median of decodes, each between two events
  bool verified = false;  ///< the output of the same run equals what was expected
};

/// Decodes a validated column into poisoned memory, compares every byte with `expected` (the raw
/// values) and what stands behind them, and times it: warm-up, then `repeats` (>= 1) decodes. A
/// column that would stay in the L2 cache is rotated over copies (up to 64) that together do not
/// fit it. Throws UsageError if the codec does not decode the type on the device,
/// DeviceMemoryError.
ColumnTiming time_column_decode(codecs::CodecId codec, codecs::ValueType type,
                                std::span<const std::uint32_t> words,
                                std::span<const std::byte> expected, int repeats = 25);

}  // namespace gannet::measure
