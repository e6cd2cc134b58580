// Encoding lists on the device, to the bytes that the host encoder makes. Includes no CUDA header:
// it compiles with plain g++, and in a build without CUDA every call throws NoDeviceError.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "codecs/base/cuda/memory_resource.hpp"
#include "codecs/device/decode.hpp"

namespace gannet::codecs::cuda {

/// Whether the codec has a device encoder. (False, without an error, in a build without CUDA.)
bool encodes_on_device(CodecId codec);

/// Most words that `count` (<= kMaxListLength) values can take when encoded. Throws UsageError if
/// the codec has no device encoder, or the list is too long.
std::uint64_t max_encoded_words(CodecId codec, std::uint64_t count);

/// Encodes lists of one codec, with a workspace that is made once: 8 bytes for every 4096 values,
/// and for gpu-rfor 1.2 bytes for each value.
/// Works for one stream at a time, on the device that was current when it was made, from any
/// thread.
class DeviceEncoder {
 public:
  /// An encoder of lists of up to `capacity` values. With Content::kDocids the values of a list are
  /// strictly ascending docids, and codecs of gaps code their gaps; other codecs make no
  /// difference. The workspace is taken from `resource` (synchronous), and given back at the end of
  /// the encoder's life, when nothing may be under way. Throws UsageError if the codec has no
  /// device encoder or lists of `capacity` values are too long, DeviceMemoryError if the workspace
  /// does not fit.
  DeviceEncoder(CodecId codec, Content content, std::uint64_t capacity,
                MemoryResource& resource = malloc_resource());
  /// An encoder for work on `stream` alone: its workspace is taken and given back in the stream's
  /// order. Nothing waits, and the encoder's life may end while its work is under way.
  DeviceEncoder(CodecId codec, Content content, std::uint64_t capacity, Stream stream,
                MemoryResource& resource = default_resource());
  ~DeviceEncoder();
  DeviceEncoder(DeviceEncoder&&) noexcept;
  DeviceEncoder& operator=(DeviceEncoder&&) noexcept;

  std::uint64_t capacity() const;

  /// Encodes `count` (<= capacity) values at `values` (device memory, 16-byte aligned) to `words`
  /// (device memory, room for max_encoded_words() of them) and puts the number of words at
  /// `*written` (device or page-locked host memory) on `stream`. Does not
  /// allocate or wait; may be captured in a graph. Words behind the last one are left alone.
  /// Throws UsageError for a list longer than the capacity, or values that are not aligned or
  /// belong to another device than the encoder.
  void encode_async(const std::uint32_t* values, std::uint64_t count, std::uint32_t* words,
                    std::uint32_t* written, Stream stream);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Encodes values in host memory on the current device and brings the words back (synchronous, with
/// device memory of its own). Errors as for DeviceEncoder.
std::vector<std::uint32_t> encode(CodecId codec, Content content,
                                  std::span<const std::uint32_t> values);

}  // namespace gannet::codecs::cuda
