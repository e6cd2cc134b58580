// Encoding on the device to described columns (codecs/described_column.hpp): what this writes,
// decode_batch_async() and the host's decode_column() read. Of columns of up to kPartValues values
// it is byte for byte what the host's encode_column() writes. Includes no CUDA header; in a build
// without CUDA every call throws NoDeviceError.
#pragma once

#include <cstdint>
#include <memory>

#include "codecs/base/cuda/memory_resource.hpp"
#include "codecs/base/cuda/stream.hpp"
#include "codecs/cascaded/format.hpp"
#include "codecs/described_column.hpp"

namespace gannet::codecs::cuda {

/// Whether DeviceColumnEncoder encodes columns of `type`: cascaded all types, other codecs with a
/// device encoder (encodes_on_device()) the 32-bit ones. (False in a build without CUDA.)
bool encodes_columns_on_device(CodecId codec, ValueType type);

/// Encodes columns of one codec and type, with a workspace that is made once. Works for one stream
/// at a time, on the device that was current when it was made, from any thread.
class DeviceColumnEncoder {
 public:
  /// For columns of up to `capacity` values, at most kMaxListLength (longer columns are encoded as
  /// several). `plan` is for cascaded alone. The workspace is taken from `resource` (synchronous),
  /// and given back at the end of the encoder's life, when nothing may be under way. Throws
  /// UsageError unless encodes_columns_on_device(), for a plan that is none, or too large a
  /// capacity; DeviceMemoryError if the workspace does not fit.
  DeviceColumnEncoder(CodecId codec, ValueType type, std::uint64_t capacity,
                      const CascadedPlan& plan = {}, MemoryResource& resource = malloc_resource());
  /// An encoder for work on `stream` alone: its workspace is taken and given back in the stream's
  /// order. Nothing waits, and the encoder's life may end while its work is under way.
  DeviceColumnEncoder(CodecId codec, ValueType type, std::uint64_t capacity,
                      const CascadedPlan& plan, Stream stream,
                      MemoryResource& resource = default_resource());
  ~DeviceColumnEncoder();
  DeviceColumnEncoder(DeviceColumnEncoder&&) noexcept;
  DeviceColumnEncoder& operator=(DeviceColumnEncoder&&) noexcept;

  /// Most bytes that a column of `count` values takes.
  std::uint64_t max_bytes(std::uint64_t count) const;

  /// Encodes `count` (<= capacity) values at `values` (device memory, on 16 bytes) to `column`
  /// (device memory, on 16 bytes, max_bytes(count) of them) and puts the bytes that it takes at
  /// `*bytes` (device or page-locked host memory), on `stream`. Does not allocate or wait; may be
  /// captured in a graph. Throws UsageError for more values than the capacity, addresses that are
  /// not aligned, or values that belong to another device than the encoder.
  void encode_async(const void* values, std::uint64_t count, void* column, std::uint64_t* bytes,
                    Stream stream);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::codecs::cuda
