// Decoding columns of any type on the device. Includes no CUDA header: it compiles with plain g++,
// and in a build without CUDA every call throws NoDeviceError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "codecs/base/cuda/memory_resource.hpp"
#include "codecs/core/chunk_codec.hpp"
#include "codecs/device/decode.hpp"

namespace gannet::codecs::cuda {

/// What the host knows of an encoded column: all that a launch needs beside the device pointers.
struct ColumnPlan {
  CodecId codec;
  ValueType type;
  std::uint32_t count;
  std::uint32_t chunk_values;        ///< of chunk codecs; 128 for tile codecs
  std::uint32_t tile_words = kTile;  ///< words a tile of 128 values takes, on average, rounded up
};

/// Whether the codec has a device decoder for values of `type`.
bool decodes_on_device(CodecId codec, ValueType type);

/// The plan for a validated column whose words are in host memory. Throws UsageError if the codec
/// does not decode `type` on the device.
ColumnPlan plan_of(CodecId codec, ValueType type, std::span<const std::uint32_t> words,
                   std::uint32_t count);

/// What addresses of encoded words and decoded values in device memory are multiples of.
inline constexpr std::size_t kWordsAlignment = 16;

/// Decodes a column in device memory (`words`: 16-byte aligned, validated on the host beforehand,
/// with 4 readable words behind it) on `stream`, on the device that the words belong to: no
/// allocation, no wait, may be captured in a graph. `out` is device memory of plan.count values of
/// the type, 16-byte aligned. If the words were damaged after they had been validated and the
/// decoder notices, it sets *damaged (device memory; may be null) to 1. Throws UsageError for
/// addresses that are not aligned, or a codec that does not decode the type on the device.
void decode_column_async(const ColumnPlan& plan, const std::uint32_t* words, void* out,
                         Stream stream, std::uint32_t* damaged = nullptr);

/// A column in device memory. Immutable once made; may be decoded from several streams and threads
/// at a time, whatever their current device.
class DeviceColumn {
 public:
  /// Copies the words of a validated column to memory of `resource` on the current device
  /// (synchronous). Gives it back at the end of its life, when no decoding may be under way. Throws
  /// DeviceMemoryError if they do not fit.
  DeviceColumn(CodecId codec, ValueType type, std::span<const std::uint32_t> words,
               std::uint32_t count, MemoryResource& resource = malloc_resource());
  ~DeviceColumn();
  DeviceColumn(DeviceColumn&&) noexcept;
  DeviceColumn& operator=(DeviceColumn&&) noexcept;

  const ColumnPlan& plan() const;
  /// Bytes of the encoded words.
  std::uint64_t bytes() const;
  /// The words, in device memory.
  const std::uint32_t* words() const;

  /// decode_column_async() of this column.
  void decode_async(void* out, Stream stream, std::uint32_t* damaged = nullptr) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::codecs::cuda
