// Encoding for codec `cascaded` on the device, to the bytes of the host encoder. Includes no CUDA
// header: it compiles with plain g++, and in a build without CUDA every call throws NoDeviceError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/cascaded/format.hpp"
#include "codecs/core/value_type.hpp"
#include "codecs/device/decode.hpp"

namespace gannet::codecs::cuda {

/// Most words that `count` values of `type` take at `plan`, whatever they are. Throws UsageError
/// for a plan that is none for the type, or more than kMaxListLength values.
std::uint64_t cascaded_most_words(ValueType type, std::uint64_t count, const CascadedPlan& plan);

/// Bytes of device memory that cascaded_encode_async() needs beside input and output. Throws
/// UsageError as cascaded_most_words(), and NoDeviceError.
std::uint64_t cascaded_workspace_bytes(ValueType type, std::uint32_t count,
                                       const CascadedPlan& plan);

/// Encodes `count` values of `type` (device memory, aligned to the type) by `plan` on `stream`: two
/// passes over the values, no allocation, no wait. `workspace` is device memory of
/// `workspace_bytes` (at least cascaded_workspace_bytes()), 256-byte aligned, free again when the
/// stream is done. `words` is device memory with room for cascaded_most_words(); the number of
/// words written is there too, in words[2 + ceil(count / plan.chunk)]. Throws UsageError for a
/// plan that is none, or a workspace that is too small. Calls with different workspaces and outputs
/// may run at the same time.
void cascaded_encode_async(ValueType type, const void* values, std::uint32_t count,
                           const CascadedPlan& plan, void* workspace, std::uint64_t workspace_bytes,
                           std::uint32_t* words, Stream stream);

/// Encodes values in host memory: copies them, encodes, waits and returns the encoded words.
/// `values` is an array of `type`. Throws DeviceMemoryError if there is no room.
std::vector<std::uint32_t> cascaded_encode(ValueType type, std::span<const std::byte> values,
                                           const CascadedPlan& plan);

}  // namespace gannet::codecs::cuda
