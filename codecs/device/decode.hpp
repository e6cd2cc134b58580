// Device-wide decoding: one list, or a batch of many lists in one launch.
//
// Includes no CUDA header: it compiles with plain g++, and in a build without CUDA every call
// throws NoDeviceError.
#pragma once

#include <cstdint>
#include <memory>

#include "codecs/base/cuda/stream.hpp"
#include "codecs/encoded_lists.hpp"

namespace gannet::codecs::cuda {

/// Encoded lists in device memory, with the table that assigns them to warps (32 bytes for
/// 512 or 1,024 values; none for a single list). Immutable once made;
/// may be decoded from several streams and threads at a time, whatever their current device.
class DeviceLists {
 public:
  /// Copies `lists` to the current device (synchronous). Throws DeviceMemoryError if they do not
  /// fit, UsageError if they are more than one launch can decode: 2^31 groups of four or eight
  /// tiles, a list having at least one, or 2^34 values.
  explicit DeviceLists(const EncodedLists& lists);
  ~DeviceLists();
  DeviceLists(DeviceLists&&) noexcept;
  DeviceLists& operator=(DeviceLists&&) noexcept;

  std::uint64_t values() const;
  /// Bytes that decoding has to read: encoded words, the table, and of a single list the skip data.
  std::uint64_t bytes() const;

  /// Where list i's values start in the output: every list starts at a multiple of 4 values.
  std::uint64_t output_offset(std::size_t i) const;
  /// Values that the output must have room for.
  std::uint64_t output_size() const;

  /// Decodes all lists to `out` (device memory, output_size() words, 16-byte aligned) in one launch
  /// on `stream`; does not allocate or wait. Words between the lists are left alone. May be
  /// captured in a graph. Throws UsageError if `out` is not aligned.
  void decode_async(std::uint32_t* out, Stream stream) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::codecs::cuda
