// Decompression for programs that have their columns in device memory: batches of described columns
// (codecs/described_column.hpp), given as device arrays of pointers and sizes, with a status for
// each. Includes no CUDA header; in a build without CUDA every call throws NoDeviceError.
//
//   BatchPlan plan{codec.id, ValueType::kU32};
//   plan.most_values = 1 << 20;                         of the longest column
//   decode_batch_async(plan, batch, statuses, stream);
//
// Bytes need not be trusted: a kernel checks every column first, with the code that the host checks
// with, and what has a fault is not decoded. Columns that validate_column() has passed on the host,
// or that DeviceColumnEncoder wrote, may skip that (BatchPlan::trusted).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "codecs/base/cuda/memory_resource.hpp"
#include "codecs/base/cuda/stream.hpp"
#include "codecs/described_column.hpp"

namespace gannet::codecs::cuda {

/// As the count of a range: all values from its first on.
inline constexpr std::uint64_t kAllValues = ~std::uint64_t{0};

/// Values [first, first + count) of a column.
struct ValueRange {
  std::uint64_t first;
  std::uint64_t count;
};

/// Columns and where their values go: arrays of `size` elements in device memory, not owned.
/// Columns may have different lengths; a column may occur more than once.
struct BatchView {
  const void* const* columns = nullptr;         ///< described columns, each on 16 bytes
  const std::uint64_t* column_bytes = nullptr;  ///< bytes that may be read there
  void* const* outputs = nullptr;               ///< each on 16 bytes
  const std::uint64_t* output_bytes = nullptr;  ///< bytes that may be written there
  const ValueRange* ranges = nullptr;           ///< which values are wanted; null: all of each
  std::uint64_t size = 0;
};

/// What the host knows of a batch.
struct BatchPlan {
  CodecId codec{};
  ValueType type{};
  /// Most values that are wanted of a column. Work is laid out for this number; a column of which
  /// more are wanted gets kTooManyValues.
  std::uint64_t most_values = 0;
  /// The columns are known to be right: only headers and outputs are looked at.
  bool trusted = false;
};

/// Whether batches of this codec and type can be decoded.
bool decodes_batches(CodecId codec, ValueType type);

/// Decodes every column of the batch and writes its status to statuses[i] (device memory, `size` of
/// them): three launches on `stream`, two if plan.trusted, on the device that batch.columns belongs
/// to; no allocation, no wait; may be captured in a graph. A column whose status is not kOk leaves
/// its output alone, except for what is found only while chunks are decoded, kChunkTooLarge and
/// (deflate) kDamaged: what is written then is anything, inside of the output. All parts of a
/// column are checked and decoded at the same time. Nothing outside of columns and outputs is read
/// or written, whatever the columns hold, unless `trusted` is said of columns that are damaged.
///
/// Of tile codecs any range is decoded tile by tile. Of chunk codecs a range decodes whole chunks,
/// those that are cut off or come to an address that is not on 16 bytes through shared memory; if a
/// chunk does not fit there (47 KiB with the codec's own needs), such columns get kChunkTooLarge.
///
/// Throws UsageError unless decodes_batches(), and for more work than a launch can have (2^31
/// groups of 512 values, counting most_values for each column).
void decode_batch_async(const BatchPlan& plan, const BatchView& batch, ColumnStatus* statuses,
                        Stream stream);

/// Checks every column of the batch as decode_batch_async() would, and decodes nothing. Outputs and
/// ranges are not looked at; they may be null. Two launches; otherwise as above.
void validate_batch_async(CodecId codec, ValueType type, const BatchView& batch,
                          ColumnStatus* statuses, Stream stream);

/// Writes the number of values of each column to counts[i] (0 if its header has a fault) and
/// whether its header has one to statuses[i], whatever codec and type it has; parts are not looked
/// at. One launch; otherwise as above.
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

/// The arrays of a batch in device memory, with statuses. For callers whose pointers are on the
/// host.
class DeviceBatch {
 public:
  /// Hands the items over on `stream`, to memory of `resource`: a small launch for
  /// every 64 of them, and no wait. The items may be changed when this returns.
  explicit DeviceBatch(std::span<const BatchItem> items, Stream stream,
                       MemoryResource& resource = default_resource());

  BatchView view() const;
  ColumnStatus* statuses() const;

  /// decode_batch_async() of this batch, on its stream.
  void decode_async(const BatchPlan& plan) const;
  /// Waits for the stream and brings the statuses back.
  std::vector<ColumnStatus> wait() const;
  /// wait(), and throws FormatError, which names the first item whose status is not kOk.
  void wait_and_check() const;

 private:
  std::size_t size_;
  bool is_ranged_ = false;  ///< not all values of all columns are wanted
  DeviceBuffer memory_;
};

}  // namespace gannet::codecs::cuda
