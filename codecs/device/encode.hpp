// Encoding lists on the device. The words are those of the host encoder. The header includes no
// CUDA header: it compiles with plain g++. In a build without CUDA encodes_on_device() returns
// false, and every other function throws NoDeviceError.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codecs/base/cuda/memory_resource.hpp"
#include "codecs/device/decode.hpp"

namespace gannet::codecs::cuda {

/// Whether the codec has a device encoder.
bool encodes_on_device(CodecId codec);

/// An upper bound of the words of any `count` values. Throws UsageError unless
/// encodes_on_device(codec), and if `count` exceeds kMaxListLength.
std::uint64_t max_encoded_words(CodecId codec, std::uint64_t count);

/// Encodes lists of one codec, with a workspace that is allocated once: 8 bytes for every 4,096
/// values, and for gpu-rfor 1.2 bytes for each value besides. Works on the device that was current
/// when it was constructed, whatever the current device of the calling thread. Not thread-safe: all
/// calls share the workspace, so they must use one stream, or the work of a call must have ended
/// before the next call uses another stream.
class DeviceEncoder {
 public:
  /// An encoder for lists of up to `capacity` values. With Content::kDocids the values of a list
  /// are strictly ascending docids, which codecs of gaps code as gaps; other codecs code docids
  /// like any values. Allocates the workspace from `resource` (synchronous). The destructor frees
  /// it; all work of the encoder must have ended by then. Throws UsageError unless
  /// encodes_on_device(codec), and if `capacity` exceeds kMaxListLength; DeviceMemoryError if the
  /// workspace does not fit.
  DeviceEncoder(CodecId codec, Content content, std::uint64_t capacity,
                MemoryResource& resource = malloc_resource());
  /// An encoder for work on `stream` only. Its workspace is allocated and freed in the order of the
  /// stream: the constructor and the destructor do not wait, and the encoder may be destroyed while
  /// its work is under way. Content, capacity and errors as for the other constructor.
  DeviceEncoder(CodecId codec, Content content, std::uint64_t capacity, Stream stream,
                MemoryResource& resource = default_resource());
  ~DeviceEncoder();
  DeviceEncoder(DeviceEncoder&&) noexcept;
  DeviceEncoder& operator=(DeviceEncoder&&) noexcept;

  std::uint64_t capacity() const;

  /// Encodes `count` (<= capacity) values at `values` (device memory, 16-byte aligned) to `words`
  /// (device memory with room for max_encoded_words() words) on `stream`, and writes the number of
  /// words to `*written` (device or page-locked host memory). Does not allocate or wait; may be
  /// captured in a graph. Words behind the last word of the list are left unchanged. Throws
  /// UsageError if `count` exceeds the capacity, if an address is not aligned, or if `values`
  /// belongs to another device than the encoder.
  void encode_async(const std::uint32_t* values, std::uint64_t count, std::uint32_t* words,
                    std::uint32_t* written, Stream stream);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Encodes values in host memory on the current device and returns the words. Allocates device
/// memory, copies, encodes and waits. Thread-safe. Errors as for DeviceEncoder.
std::vector<std::uint32_t> encode(CodecId codec, Content content,
                                  std::span<const std::uint32_t> values);

}  // namespace gannet::codecs::cuda
