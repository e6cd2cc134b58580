// Random access: single values of an encoded column, and the values that a bit vector selects,
// without decoding the rest. (SIGMOD 2022, section 8.)
//
// Includes no CUDA header: it compiles with plain g++, and in a build without CUDA every call
// throws NoDeviceError. codecs/pick.hpp has the same on the host, with the same answers.
#pragma once

#include <cstdint>

#include "codecs/device/columns.hpp"
#include "codecs/device/scan.hpp"

namespace gannet::codecs::cuda {

/// Whether single values of columns of this plan can be had: those of tile codecs, and those of
/// chunk codecs whose chunks fit shared memory when decoded.
bool picks(const ColumnPlan& plan);

/// Writes value positions[i] of the column to out[i], for i < count. `positions` (each below
/// plan.count) and `out` (values of the column's type) are device memory; `words` as for
/// decode_column_async(). Decodes a tile or chunk for each position, but once for positions in a
/// row that share it. On `stream`, on the device that the words belong to: no allocation, no
/// wait, may be captured in a graph. *damaged as for decode_column_async(). Throws UsageError
/// unless picks(plan), and for addresses that are not aligned.
void pick_async(const ColumnPlan& plan, const std::uint32_t* words, const std::uint32_t* positions,
                std::uint32_t count, void* out, Stream stream, std::uint32_t* damaged = nullptr);

/// Writes the values whose bits are set to their places in `out` (device memory of plan.count
/// values of the type, 16-byte aligned) and leaves the others alone. Bit i % 32 of bits[i / 32]
/// stands for value i; `bits` is device memory of plan.count bits, up to a whole word. Tiles
/// without a set bit are neither read nor decoded. On `stream`, as above. Throws UsageError if the
/// codec is not a tile codec.
void decode_selected_async(const ColumnPlan& plan, const std::uint32_t* words,
                           const std::uint32_t* bits, void* out, Stream stream);

/// Adds to *result (device memory) how many bits are set and the sum of their values, modulo 2^64.
/// Otherwise as decode_selected_async(). To be zeroed by the caller.
void sum_selected_async(const ColumnPlan& plan, const std::uint32_t* words,
                        const std::uint32_t* bits, ScanResult* result, Stream stream);

}  // namespace gannet::codecs::cuda
