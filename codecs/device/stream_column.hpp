// Streaming columns that are larger than the memory of the device: encoded segments are copied to
// the device one after another, and are decoded and used while the next segments are being copied.
// The header includes no CUDA header. In a build without CUDA every function but raw_count() throws
// NoDeviceError.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "codecs/columns.hpp"
#include "codecs/device/decode.hpp"

namespace gannet::codecs::cuda {

/// One segment of a streamed column.
struct StreamSegment {
  CodecId codec{};
  bool raw = false;  ///< the words are the values themselves; there is no codec
  std::uint32_t count = 0;
  std::uint64_t words = 0;  ///< 32-bit words to copy to the device
};

/// Where the segments of a column come from. The functions are called from several threads at a
/// time, read() for different segments.
class SegmentSource {
 public:
  virtual ~SegmentSource() = default;
  virtual ValueType type() const = 0;
  virtual std::size_t size() const = 0;
  virtual StreamSegment segment(std::size_t i) const = 0;

  /// The validated words of segment i if they are in page-locked host memory, where they must stay
  /// until stream_column() returns; otherwise null, and read() is called.
  virtual const std::uint32_t* pinned(std::size_t i) const = 0;

  /// Writes the validated words of segment i to `words` (segment(i).words elements). May throw any
  /// exception, for instance for damaged words; stream_column() throws it then.
  virtual void read(std::size_t i, std::span<std::uint32_t> words) const = 0;
};

/// The number of values of `type` in `bytes` bytes, for a raw segment. Throws UsageError if `bytes`
/// is not a multiple of the size of a value, or if there are more than kMaxListLength values.
inline std::uint32_t raw_count(std::uint64_t bytes, ValueType type) {
  const std::uint64_t count = bytes / size_of(type);
  if (bytes % size_of(type) != 0 || count > kMaxListLength) {
    throw UsageError(std::to_string(bytes) + " bytes cannot be one segment of " +
                     std::string(name_of(type)) + " (whole values, at most " +
                     std::to_string(kMaxListLength) + "; add several segments)");
  }
  return static_cast<std::uint32_t>(count);
}

/// A source whose segments are in page-locked host memory. The functions that add segments or set
/// repeat() are not thread-safe; the const functions are, while no other function runs.
class PinnedColumn : public SegmentSource {
 public:
  explicit PinnedColumn(ValueType type);
  ~PinnedColumn() override;

  /// Appends a segment: copies validated words that encode `count` (<= kMaxListLength) values with
  /// `codec`. Throws DeviceMemoryError if page-locked memory cannot be allocated.
  void add(CodecId codec, std::span<const std::uint32_t> words, std::uint32_t count);
  /// Appends a raw segment: copies `values`, an array of the column's type. Throws UsageError as
  /// raw_count() does (a longer column is to be added as several segments), and
  /// DeviceMemoryError if page-locked memory cannot be allocated.
  void add_raw(std::span<const std::byte> values);
  /// Makes the column consist of all segments, `times` times over. Default: 1.
  void repeat(std::size_t times);
  /// Bytes of the words of all added segments, each counted once, whatever repeat() says.
  std::uint64_t bytes() const;

  ValueType type() const override;
  std::size_t size() const override;
  StreamSegment segment(std::size_t i) const override;
  const std::uint32_t* pinned(std::size_t i) const override;
  void read(std::size_t i, std::span<std::uint32_t> words) const override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// A decoded segment, in device memory.
struct StreamedValues {
  ValueType type{};
  const void* values = nullptr;  ///< device memory, 16-byte aligned
  std::size_t segment = 0;
  std::uint64_t first = 0;  ///< position in the column of the segment's first value
  std::uint32_t count = 0;
  std::size_t slot = 0;     ///< number of the segment's buffers: segment % slots
  Stream stream = nullptr;  ///< the stream for all work on the values
};

struct StreamOptions {
  /// Segments under way at a time, at least 1; at most as many as the column has segments are used.
  /// A slot has device memory for the words and the values of the largest segment. If the source
  /// has segments that are not page-locked, a slot also has page-locked host memory for their
  /// words, and the segments of half of the slots are read ahead, each by a thread of its own.
  std::size_t slots = 4;
  /// Called once a segment, in order, on the thread that called stream_column(), when all work on
  /// the segment has ended; may be empty. The buffers of the segment are not reused before it
  /// returns.
  std::function<void(const StreamedValues&)> finished = {};
};

/// What streaming a column cost.
struct StreamReport {
  std::uint64_t values = 0;
  std::uint64_t bytes_copied = 0;  ///< from the host to the device
  std::uint64_t device_bytes = 0;  ///< device memory of the slots
  double seconds = 0;  ///< from the first read to the end of all work; allocations excluded
};

/// Streams the whole column through the current device and waits for the end of all work. `consume`
/// is called once a segment, in order, on the calling thread. It launches work on the segment's
/// stream that uses the values, and should not wait for it. Work on different segments overlaps:
/// results that segments share must be combined by atomics, as StreamSum and StreamCount do.
///
/// Allocates all buffers before the first segment and frees them at the end. Throws
/// DeviceMemoryError if the buffers do not fit, UsageError if the device does not decode the codec
/// of a segment, and whatever `source`, `consume` and StreamOptions::finished throw. An exception
/// leaves the function after the work under way has ended.
StreamReport stream_column(const SegmentSource& source,
                           const std::function<void(const StreamedValues&)>& consume,
                           const StreamOptions& options = {});

/// Consumer for stream_column(): the sum of all values modulo 2^64. Values of signed types are
/// extended with their sign. Belongs to the device that was current when it was constructed, which
/// must be the device of the stream. Not thread-safe.
class StreamSum {
 public:
  StreamSum();
  ~StreamSum();
  void operator()(const StreamedValues& values);
  /// The sum of all segments consumed so far. Waits for the device.
  std::uint64_t result() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Consumer for stream_column(): the number of values in [low, high], both included. For signed
/// types of the column the bounds are taken and compared as std::int64_t, otherwise as
/// std::uint64_t. Belongs to the device that was current when it was constructed, which must be the
/// device of the stream. Not thread-safe.
class StreamCount {
 public:
  StreamCount(std::uint64_t low, std::uint64_t high);
  ~StreamCount();
  void operator()(const StreamedValues& values);
  /// The number of such values in all segments consumed so far. Waits for the device.
  std::uint64_t result() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Consumer for stream_column(): copies the values of every segment to page-locked host memory.
/// values() returns them in StreamOptions::finished; the next segment of the slot overwrites them.
/// Not thread-safe.
class StreamCopy {
 public:
  /// Allocates `slots` (at least StreamOptions::slots, or as many as there are segments) buffers of
  /// `most` bytes: the values of the longest segment. Throws DeviceMemoryError if page-locked
  /// memory cannot be allocated.
  StreamCopy(std::size_t slots, std::size_t most);
  ~StreamCopy();
  void operator()(const StreamedValues& values);
  /// The copied values of a segment whose work has ended.
  std::span<const std::byte> values(const StreamedValues& values) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::codecs::cuda
