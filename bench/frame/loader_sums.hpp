// Sums by kernels of one's own over compressed columns, written as users write them: with
// TileLoader (codecs/device/tile_loader.cuh), a tile of four at a time, one kernel over all of a
// row's columns.
#pragma once

#include <span>

#include "codecs/device/columns.hpp"

namespace gannet::bench {

/// Codecs that are measured: those of columns, and the plain column.
bool sums_with_loader(codecs::CodecId codec);

/// Writes the sum of all values of one or four columns of 32-bit values, of one codec and one
/// length, to `sum` (device memory), on `stream`. Throws UsageError for other columns.
void sum_with_loader_async(std::span<const codecs::cuda::DeviceColumn> columns,
                           unsigned long long* sum, codecs::cuda::Stream stream);

}  // namespace gannet::bench
