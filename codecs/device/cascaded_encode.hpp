// Encoding for codec `cascaded` on the device. The words are those of the host encoder. The header
// includes no CUDA header: it compiles with plain g++. In a build without CUDA every function
// throws NoDeviceError. All functions are thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/cascaded/format.hpp"
#include "codecs/core/value_type.hpp"
#include "codecs/device/decode.hpp"

namespace gannet::codecs::cuda {

/// An upper bound of the words that any `count` values of `type` take with `plan`. Throws
/// UsageError if `plan` is not valid for the type, or if `count` exceeds kMaxListLength.
std::uint64_t cascaded_max_words(ValueType type, std::uint64_t count, const CascadedPlan& plan);

/// Bytes of workspace that cascaded_encode_async() needs for `count` values: about 4 bytes for each
/// chunk. Throws UsageError as cascaded_max_words() does, and NoDeviceError.
std::uint64_t cascaded_workspace_bytes(ValueType type, std::uint32_t count,
                                       const CascadedPlan& plan);

/// Encodes `count` values of `type` (device memory, aligned to the type) with `plan` on `stream`,
/// on the device that `words` belongs to. Reads the values twice. Does not allocate or wait; may be
/// captured in a graph.
///
/// `workspace` is device memory of `workspace_bytes` bytes (at least cascaded_workspace_bytes()),
/// 256-byte aligned. It may be reused or freed when the work on the stream has ended. `words` is
/// device memory with room for cascaded_max_words() words. The number of words written is in
/// words[2 + ceil(count / plan.chunk)] afterwards.
///
/// Calls with different workspaces and outputs may run at the same time. Throws UsageError as
/// cascaded_max_words() does, for a workspace that is too small, and for addresses that are not
/// aligned.
void cascaded_encode_async(ValueType type, const void* values, std::uint32_t count,
                           const CascadedPlan& plan, void* workspace, std::uint64_t workspace_bytes,
                           std::uint32_t* words, Stream stream);

/// Encodes values in host memory on the current device and returns the words. Allocates device
/// memory, copies, encodes and waits. `values` is an array of `type`; bytes behind the last whole
/// value are ignored. Throws UsageError as cascaded_max_words() does, and DeviceMemoryError if the
/// values, the words and the workspace do not fit into device memory.
std::vector<std::uint32_t> cascaded_encode(ValueType type, std::span<const std::byte> values,
                                           const CascadedPlan& plan);

}  // namespace gannet::codecs::cuda
