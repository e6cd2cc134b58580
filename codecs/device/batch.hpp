// Decoding batches of described columns (codecs/described_column.hpp) that are in device memory
// already. A batch is given as device arrays of pointers and sizes; each column gets a status. The
// header includes no CUDA header. In a build without CUDA decodes_batches() returns false, and
// every other function throws NoDeviceError.
//
//   BatchPlan plan{codec.id, ValueType::kU32};
//   plan.most_values = 1 << 20;                         of the longest column
//   decode_batch_async(plan, batch, statuses, stream);
//
// The bytes of a column need not be trusted: a kernel checks every column before it is decoded,
// with the same code as the host. A column with a fault is not decoded. The check can be left out
// (BatchPlan::trusted) for columns that have passed validate_column() on the host, or that
// DeviceColumnEncoder has written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/base/cuda/memory_resource.hpp"
#include "codecs/base/cuda/stream.hpp"
#include "codecs/described_column.hpp"

namespace gannet::codecs::cuda {

/// As ValueRange::count: all values from ValueRange::first to the end of the column.
inline constexpr std::uint64_t kAllValues = ~std::uint64_t{0};

/// Values [first, first + count) of a column.
struct ValueRange {
  std::uint64_t first;
  std::uint64_t count;
};

/// Columns and their outputs: arrays of `size` elements in device memory, not owned. Columns may
/// have different lengths. A column may occur more than once.
struct BatchView {
  const void* const* columns = nullptr;         ///< described columns, each 16-byte aligned
  const std::uint64_t* column_bytes = nullptr;  ///< readable bytes at each column
  void* const* outputs = nullptr;               ///< for values of the type, each 16-byte aligned
  const std::uint64_t* output_bytes = nullptr;  ///< writable bytes at each output
  const ValueRange* ranges = nullptr;           ///< the values to decode; null: all of each column
  std::uint64_t size = 0;
};

/// What the host knows of a batch.
struct BatchPlan {
  CodecId codec{};
  ValueType type{};
  /// The largest number of values that is to be decoded of one column. The launches are sized for
  /// it. A column of which more values are to be decoded gets kTooManyValues.
  std::uint64_t most_values = 0;
  /// The columns are known to be valid: only their headers, ranges and outputs are checked.
  bool trusted = false;
};

/// Whether batches of columns of this codec and type can be decoded.
bool decodes_batches(CodecId codec, ValueType type);

/// Decodes every column of the batch and writes its status to statuses[i] (device memory,
/// batch.size elements). Three launches on `stream`, two if plan.trusted, on the device that the
/// array batch.columns belongs to. Does not allocate or wait; may be captured in a graph. An empty
/// batch launches nothing.
///
/// A column whose status is not kOk leaves its output unchanged. Two faults are exceptions, because
/// they are found while chunks are decoded: kChunkTooLarge, and kDamaged of codec deflate. Then the
/// output holds unspecified bytes. All parts of a column are checked and decoded in parallel.
/// Nothing outside of the columns and outputs is read or written, whatever the columns hold, unless
/// plan.trusted is set for columns that are damaged.
///
/// Tile codecs decode any range tile by tile. Chunk codecs decode every chunk that the range
/// touches as a whole. A chunk is decoded through shared memory if the range cuts it off, or if its
/// first value does not go to a 16-byte aligned address. If such a chunk does not fit there (47
/// KiB, the codec's scratch memory included), the column gets kChunkTooLarge.
///
/// Throws UsageError
/// - unless decodes_batches(plan.codec, plan.type);
/// - if an array other than batch.ranges is null;
/// - if a launch would need more than 2^31 - 1 thread blocks. With a tile codec a block decodes at
///   least 512 values of one column, and every column counts as plan.most_values long. The check of
///   the columns may be under way when the error is thrown; it writes the statuses.
void decode_batch_async(const BatchPlan& plan, const BatchView& batch, ColumnStatus* statuses,
                        Stream stream);

/// Checks every column of the batch as decode_batch_async() does, and decodes nothing. Two launches
/// on `stream`. Outputs and ranges are not read; these arrays may be null. Device, capture and
/// errors as for decode_batch_async().
void validate_batch_async(CodecId codec, ValueType type, const BatchView& batch,
                          ColumnStatus* statuses, Stream stream);

/// Checks the header of each column, of any codec and type: writes the result to statuses[i], and
/// the column's number of values, or 0 if its header has a fault, to counts[i] (device memory). The
/// parts of a column are not checked. One launch on `stream`. Outputs and ranges are not read.
/// Device and capture as for decode_batch_async(). Throws UsageError if batch.columns,
/// batch.column_bytes or `statuses` is null.
void get_sizes_async(const BatchView& batch, std::uint64_t* counts, ColumnStatus* statuses,
                     Stream stream);

/// One column of a batch, for DeviceBatch.
struct BatchItem {
  const void* column;
  std::uint64_t column_bytes;
  void* output;
  std::uint64_t output_bytes;
  ValueRange range{0, kAllValues};
};

/// The arrays of a batch in device memory, with statuses, for callers that have the pointers on the
/// host. All work goes to the stream of the constructor. Not thread-safe.
class DeviceBatch {
 public:
  /// Allocates the arrays from `resource` and fills them on `stream`, on the current device, which
  /// the stream must belong to: one small launch for every 64 items, and no wait. `items` may be
  /// changed when the constructor returns. Throws DeviceMemoryError if the arrays do not fit.
  explicit DeviceBatch(std::span<const BatchItem> items, Stream stream,
                       MemoryResource& resource = default_resource());

  BatchView view() const;
  ColumnStatus* statuses() const;

  /// decode_batch_async() of this batch, on its stream.
  void decode_async(const BatchPlan& plan) const;
  /// Waits for the stream and returns the statuses, one for each item. Throws CudaError if work on
  /// the stream has failed.
  std::vector<ColumnStatus> wait() const;
  /// Calls wait(). Throws FormatError, which names the first item whose status is not kOk.
  void wait_and_check() const;

 private:
  std::size_t size_;
  bool is_ranged_ = false;  ///< an item has a range that is not the whole column
  DeviceBuffer memory_;
};

}  // namespace gannet::codecs::cuda
