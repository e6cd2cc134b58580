// Decoding columns of any type on the device. The header includes no CUDA header: it compiles with
// plain g++. In a build without CUDA decodes_on_device() returns false, and every other function
// throws NoDeviceError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "codecs/base/cuda/memory_resource.hpp"
#include "codecs/core/chunk_codec.hpp"
#include "codecs/device/decode.hpp"

namespace gannet::codecs::cuda {

/// What the host knows of an encoded column: all that a launch needs besides the device pointers.
struct ColumnPlan {
  CodecId codec;
  ValueType type;
  std::uint32_t count;
  std::uint32_t chunk_values;        ///< of chunk codecs; 128 for tile codecs; 1 if count is 0
  std::uint32_t tile_words = kTile;  ///< average words of a tile of 128 values, rounded up
};

/// Whether the codec has a device decoder for values of `type`.
bool decodes_on_device(CodecId codec, ValueType type);

/// The plan for a validated column whose words are in host memory. Throws UsageError unless
/// decodes_on_device(codec, type).
ColumnPlan plan_of(CodecId codec, ValueType type, std::span<const std::uint32_t> words,
                   std::uint32_t count);

/// Alignment, in bytes, of encoded words and decoded values in device memory.
inline constexpr std::size_t kWordsAlignment = 16;

/// Decodes a column in device memory on `stream`, on the device that `words` belongs to. Does not
/// allocate or wait; may be captured in a graph. An empty column launches nothing.
///
/// `words` is 16-byte aligned, was validated on the host, and is followed by 4 readable words.
/// `out` is device memory for plan.count values of plan.type, 16-byte aligned. If the decoder
/// notices that the words were damaged after the validation, it sets *damaged (device memory; may
/// be null) to 1; otherwise it leaves *damaged unchanged. Only the decoder of codec deflate checks
/// for damage.
///
/// Throws UsageError for addresses that are not aligned, and unless
/// decodes_on_device(plan.codec, plan.type); CudaError if the kernel cannot be launched.
void decode_column_async(const ColumnPlan& plan, const std::uint32_t* words, void* out,
                         Stream stream, std::uint32_t* damaged = nullptr);

/// A column in device memory. Immutable and thread-safe: several streams and threads may decode it
/// at the same time, whatever the current device of each thread.
class DeviceColumn {
 public:
  /// Copies the words of a validated column to memory of `resource` on the current device
  /// (synchronous). The destructor frees the memory; no decoding may be under way then. Throws
  /// UsageError unless decodes_on_device(codec, type), and DeviceMemoryError if the words do not
  /// fit.
  DeviceColumn(CodecId codec, ValueType type, std::span<const std::uint32_t> words,
               std::uint32_t count, MemoryResource& resource = malloc_resource());
  ~DeviceColumn();
  DeviceColumn(DeviceColumn&&) noexcept;
  DeviceColumn& operator=(DeviceColumn&&) noexcept;

  const ColumnPlan& plan() const;
  /// Bytes of the encoded words.
  std::uint64_t bytes() const;
  /// The encoded words, in device memory.
  const std::uint32_t* words() const;

  /// decode_column_async() of this column.
  void decode_async(void* out, Stream stream, std::uint32_t* damaged = nullptr) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::codecs::cuda
