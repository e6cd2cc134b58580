// Device-wide decoding of lists: one list, or a batch of many lists in one launch.
//
// The header includes no CUDA header: it compiles with plain g++. In a build without CUDA every
// function throws NoDeviceError.
#pragma once

#include <cstdint>
#include <memory>

#include "codecs/base/cuda/stream.hpp"
#include "codecs/encoded_lists.hpp"

namespace gannet::codecs::cuda {

/// Encoded lists in device memory, with a table that assigns groups of tiles to warps: 32 bytes for
/// each group of 512 or 1,024 values, no table for a single list. Immutable and thread-safe:
/// several streams and threads may decode the lists at the same time, whatever the current device
/// of each thread.
class DeviceLists {
 public:
  /// Copies `lists`, whose codec is one of TileCodecs, to the current device (synchronous). Throws
  /// DeviceMemoryError if they do not fit. Throws UsageError if one launch cannot decode them: at
  /// most 2^31 groups of four or eight tiles, where a list that is not empty has at least one
  /// group, and an output_size() of at most 2^34.
  explicit DeviceLists(const EncodedLists& lists);
  ~DeviceLists();
  DeviceLists(DeviceLists&&) noexcept;
  DeviceLists& operator=(DeviceLists&&) noexcept;

  std::uint64_t values() const;
  /// Bytes that decoding reads: the encoded words, the table, and for a single list its skips.
  std::uint64_t bytes() const;

  /// The position in the output of the first value of list `i`, a multiple of 4.
  std::uint64_t output_offset(std::size_t i) const;
  /// Values that the output must have room for: those of the lists and the gaps between them.
  std::uint64_t output_size() const;

  /// Decodes all lists to `out` (device memory, output_size() words, 16-byte aligned) in one launch
  /// on `stream`. Does not allocate or wait; may be captured in a graph. Words between the lists
  /// are left unchanged. Throws UsageError if `out` is not aligned.
  void decode_async(std::uint32_t* out, Stream stream) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::codecs::cuda
