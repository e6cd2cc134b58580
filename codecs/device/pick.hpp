// Random access: single values of an encoded column, and the values that a bit vector selects,
// without decoding the whole column. Source: Shanbhag, Yogatama, Yu, Madden, "Tile-based
// Lightweight Integer Compression in GPU", SIGMOD 2022, section 8. codecs/pick.hpp has pick() and
// sum_selected() on the host, with equal results.
//
// The header includes no CUDA header: it compiles with plain g++. In a build without CUDA picks()
// returns false, and every other function throws NoDeviceError. All functions are thread-safe.
#pragma once

#include <cstdint>

#include "codecs/device/columns.hpp"
#include "codecs/device/scan.hpp"

namespace gannet::codecs::cuda {

/// Whether pick_async() can read single values of a column with this plan: a column of a tile
/// codec, or of a chunk codec if a decoded chunk and the codec's scratch memory fit into 47 KiB of
/// shared memory.
bool picks(const ColumnPlan& plan);

/// Writes value positions[i] of the column to out[i], for i < count, on `stream`, on the device
/// that `words` belongs to. Does not allocate or wait; may be captured in a graph.
///
/// `positions` (each below plan.count, in any order) and `out` (values of plan.type, aligned to the
/// type) are device memory. `words` and `damaged` are those of decode_column_async(). A warp serves
/// 32 consecutive elements of `positions`, and decodes each tile or chunk that they lie in once.
/// Throws UsageError unless picks(plan), and for addresses that are not aligned; if `count` is 0
/// nothing is checked or launched.
void pick_async(const ColumnPlan& plan, const std::uint32_t* words, const std::uint32_t* positions,
                std::uint32_t count, void* out, Stream stream, std::uint32_t* damaged = nullptr);

/// Writes every value i whose bit is set to out[i], and leaves the other elements of `out`
/// unchanged, on `stream`, on the device that `words` belongs to. Does not allocate or wait; may be
/// captured in a graph.
///
/// Bit i % 32 of bits[i / 32] stands for value i. `bits` is device memory of ceil(plan.count / 32)
/// words. `out` is device memory for plan.count values of plan.type, 16-byte aligned. `words` is
/// that of decode_column_async(). Groups of eight tiles without a set bit are neither read nor
/// decoded. In a group where one or two tiles have set bits only these tiles are decoded; where
/// three or more tiles have set bits, all tiles of the group are decoded.
///
/// Throws UsageError if the codec is not a tile codec that decodes plan.type on the device, and for
/// addresses that are not aligned; an empty column launches nothing.
void decode_selected_async(const ColumnPlan& plan, const std::uint32_t* words,
                           const std::uint32_t* bits, void* out, Stream stream);

/// Adds the number of values whose bits are set, and their sum modulo 2^64, to *result (device
/// memory, 8-byte aligned), which the caller has set to zeros. Values of signed types are extended
/// with their sign. Words, bits, stream, cost and errors as for decode_selected_async().
void sum_selected_async(const ColumnPlan& plan, const std::uint32_t* words,
                        const std::uint32_t* bits, ScanResult* result, Stream stream);

}  // namespace gannet::codecs::cuda
