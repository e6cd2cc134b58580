// Encoding on the device to described columns (codecs/described_column.hpp), which
// decode_batch_async() and the host's decode_column() read. Columns of up to kPartValues values are
// byte for byte those of the host's encode_column(). The header includes no CUDA header. In a build
// without CUDA encodes_columns_on_device() returns false, and every other function throws
// NoDeviceError.
#pragma once

#include <cstdint>
#include <memory>

#include "codecs/base/cuda/memory_resource.hpp"
#include "codecs/base/cuda/stream.hpp"
#include "codecs/cascaded/format.hpp"
#include "codecs/described_column.hpp"

namespace gannet::codecs::cuda {

/// Whether DeviceColumnEncoder encodes columns of `type`: `cascaded` encodes all types, other
/// codecs with a device encoder (encodes_on_device()) encode the 32-bit types.
bool encodes_columns_on_device(CodecId codec, ValueType type);

/// Encodes columns of one codec and type, with a workspace that is allocated once. Works on the
/// device that was current when it was constructed, whatever the current device of the calling
/// thread. Not thread-safe: all calls share the workspace, so they must use one stream, or the work
/// of a call must have ended before the next call uses another stream.
class DeviceColumnEncoder {
 public:
  /// An encoder for columns of up to `capacity` values, at most kMaxListLength. (A longer column is
  /// to be encoded as several columns.) Only codec `cascaded` uses `plan`. Allocates the workspace
  /// from `resource` (synchronous). The destructor frees it; all work of the encoder must have
  /// ended by then. Throws UsageError unless encodes_columns_on_device(), for a plan that is not
  /// valid for the type, and for a capacity that is too large; DeviceMemoryError if the workspace
  /// does not fit.
  DeviceColumnEncoder(CodecId codec, ValueType type, std::uint64_t capacity,
                      const CascadedPlan& plan = {}, MemoryResource& resource = malloc_resource());
  /// An encoder for work on `stream` only. Its workspace is allocated and freed in the order of the
  /// stream: the constructor and the destructor do not wait, and the encoder may be destroyed while
  /// its work is under way. Capacity, plan and errors as for the other constructor.
  DeviceColumnEncoder(CodecId codec, ValueType type, std::uint64_t capacity,
                      const CascadedPlan& plan, Stream stream,
                      MemoryResource& resource = default_resource());
  ~DeviceColumnEncoder();
  DeviceColumnEncoder(DeviceColumnEncoder&&) noexcept;
  DeviceColumnEncoder& operator=(DeviceColumnEncoder&&) noexcept;

  /// An upper bound of the bytes of a column of `count` values. Throws UsageError if `count`
  /// exceeds kMaxListLength.
  std::uint64_t max_bytes(std::uint64_t count) const;

  /// Encodes `count` (<= capacity) values at `values` (device memory, 16-byte aligned) to `column`
  /// (device memory, 16-byte aligned, max_bytes(count) bytes) on `stream`, and writes the number of
  /// bytes of the column to `*bytes` (device or page-locked host memory). Does not allocate or
  /// wait; may be captured in a graph. Throws UsageError if `count` exceeds the capacity, if an
  /// address is not aligned, or if `values` belongs to another device than the encoder.
  void encode_async(const void* values, std::uint64_t count, void* column, std::uint64_t* bytes,
                    Stream stream);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::codecs::cuda
