// Columns larger than the device: encoded segments cross the bus one behind the other and are
// decoded and used as they arrive, while the next ones are on their way. Includes no CUDA header;
// in a build without CUDA every call throws NoDeviceError.
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
  bool raw = false;  ///< no codec: the words are the values themselves, nothing is decoded
  std::uint32_t count = 0;
  std::uint64_t words = 0;  ///< 32-bit words to be copied to the device
};

/// Where a column's segments come from. Functions are called from several threads.
class SegmentSource {
 public:
  virtual ~SegmentSource() = default;
  virtual ValueType type() const = 0;
  virtual std::size_t size() const = 0;
  virtual StreamSegment segment(std::size_t i) const = 0;

  /// The validated words of segment i, if they stand in page-locked host memory until the stream
  /// has ended; otherwise null, and read() is called.
  virtual const std::uint32_t* pinned(std::size_t i) const = 0;

  /// Writes the words of segment i, validated, to `words` (of segment(i).words). Throws if they are
  /// not what they should be.
  virtual void read(std::size_t i, std::span<std::uint32_t> words) const = 0;
};

/// The values of `type` that `bytes` bytes are, for a segment without a codec. Throws UsageError
/// for bytes that are no whole number of values, or more than kMaxListLength values.
inline std::uint32_t raw_count(std::uint64_t bytes, ValueType type) {
  const std::uint64_t count = bytes / size_of(type);
  if (bytes % size_of(type) != 0 || count > kMaxListLength) {
    throw UsageError(std::to_string(bytes) + " bytes cannot be one segment of " +
                     std::string(name_of(type)) + " (whole values, at most " +
                     std::to_string(kMaxListLength) + "; add several segments)");
  }
  return static_cast<std::uint32_t>(count);
}

/// Segments in page-locked host memory.
class PinnedColumn : public SegmentSource {
 public:
  explicit PinnedColumn(ValueType type);
  ~PinnedColumn() override;

  /// Copies validated words of `codec` (at most kMaxListLength values).
  void add(CodecId codec, std::span<const std::uint32_t> words, std::uint32_t count);
  /// Copies raw values of the type, as one segment. Throws UsageError for bytes that are no whole
  /// number of values, or more than kMaxListLength values: add them in several segments.
  void add_raw(std::span<const std::byte> values);
  /// The segments are streamed `times` times over, as one long column. Default: 1.
  void repeat(std::size_t times);
  /// Words of all segments, once, in bytes.
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
  std::uint64_t first = 0;  ///< position of its first value in the column
  std::uint32_t count = 0;
  std::size_t slot = 0;     ///< which of the buffers it is in: segment % slots
  Stream stream = nullptr;  ///< work on the values belongs on this stream
};

struct StreamOptions {
  /// Segments under way at a time, each with buffers of its own for words (host, unless the source
  /// is page-locked, and device) and values (device): the device memory that a stream takes. Half
  /// of them are being read, each by a thread, where the source is not page-locked.
  std::size_t slots = 4;
  /// Called on the host, in order, when all work of a segment has ended; may be empty. A segment's
  /// buffers are not reused before it returns.
  std::function<void(const StreamedValues&)> finished = {};
};

/// What a stream took.
struct StreamReport {
  std::uint64_t values = 0;
  std::uint64_t bytes_copied = 0;  ///< over the bus
  std::uint64_t device_bytes = 0;  ///< of buffers
  double seconds = 0;              ///< from the first call to the end of all work, buffers apart
};

/// Streams the whole column through the current device and waits for the end. `consume` is called
/// on the host, in order, once a segment, with the values' place and stream; it launches work that
/// uses them and does not wait. Work of different segments overlaps: what they share must be
/// combined by atomics, as in the consumers below. Throws what source and consumer throw, after the
/// work under way has ended.
StreamReport stream_column(const SegmentSource& source,
                           const std::function<void(const StreamedValues&)>& consume,
                           const StreamOptions& options = {});

/// Consumer: the sum of all values modulo 2^64, signed ones extended.
class StreamSum {
 public:
  StreamSum();
  ~StreamSum();
  void operator()(const StreamedValues& values);
  /// Waits for the device. Of all that was consumed so far.
  std::uint64_t result() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Consumer: how many values lie in [low, high]. The bounds are of the column's type: for the
/// signed types they are compared as int64, otherwise as uint64.
class StreamCount {
 public:
  StreamCount(std::uint64_t low, std::uint64_t high);
  ~StreamCount();
  void operator()(const StreamedValues& values);
  /// Waits for the device. Of all that was consumed so far.
  std::uint64_t result() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Consumer: copies every segment to page-locked host memory. For StreamOptions::finished, which
/// finds segment's values in its slot.
class StreamCopy {
 public:
  /// `slots`: those of the stream; `most`: bytes of its longest segment.
  StreamCopy(std::size_t slots, std::size_t most);
  ~StreamCopy();
  void operator()(const StreamedValues& values);
  std::span<const std::byte> values(const StreamedValues& values) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::codecs::cuda
