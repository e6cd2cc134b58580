// Inline decompression, ready-made: sums and counts over an encoded column that is decoded inside
// the kernel that consumes it and never written out.
//
// Includes no CUDA header: it compiles with plain g++, and in a build without CUDA every call
// throws NoDeviceError.
#pragma once

#include <cstdint>
#include <memory>

#include "codecs/base/cuda/memory_resource.hpp"
#include "codecs/device/columns.hpp"

namespace gannet::codecs::cuda {

/// How many values a scan took, and their sum modulo 2^64 (for signed types, the bits of it).
struct ScanResult {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  /// Whether the scan met bytes that were damaged after they had been validated; count and sum are
  /// 2^64 - 1 then.
  bool damaged() const { return count == ~std::uint64_t{0}; }
  friend bool operator==(const ScanResult&, const ScanResult&) = default;
};

/// Values from `low` to `high`, both included: numbers of the column's type, widened to 64 bits
/// (with their sign, if it has one).
struct ScanRange {
  std::uint64_t low;
  std::uint64_t high;

  template <class T>
  static ScanRange of(T low, T high) {
    return {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high)};
  }
};

/// Whether columns of this plan can be scanned inline: those of tile codecs, and those of chunk
/// codecs whose chunks fit shared memory when decoded. Others are decoded first.
bool scans_inline(const ColumnPlan& plan);

/// Scans columns of the device that it was made on. Thread-safe: scans on different streams
/// overlap, those on one stream follow one another, whatever the calling thread's current device.
/// cudaStreamPerThread is a stream for each thread. A stream must not be destroyed while a scan on
/// it is under way.
class ColumnScanner {
 public:
  /// Streams that a scanner knows in its life; each has device memory of its own. A stream on which
  /// scans are captured as well as run counts twice.
  static constexpr std::size_t kStreams = 16;

  /// Allocates 17 KiB of device memory of `resource` on the current device (synchronous), and gives
  /// it back at the end of its life, when no scan may be under way. Throws DeviceMemoryError.
  explicit ColumnScanner(MemoryResource& resource = malloc_resource());
  ~ColumnScanner();
  ColumnScanner(ColumnScanner&&) noexcept;
  ColumnScanner& operator=(ColumnScanner&&) noexcept;

  /// Writes count and sum of all values of a column to `result` (device memory), on `stream`: no
  /// allocation, no wait, may be captured in a graph. Graphs may be launched on any stream, beside
  /// scans that are not captured; of all graphs with scans that were captured on one stream
  /// (cudaStreamPerThread counts as one here), one launch at a time may run. `words` as for
  /// decode_column_async(). Throws UsageError unless scans_inline(plan), for words that are not
  /// aligned or belong to another device, and for the seventeenth stream.
  void sum_async(const ColumnPlan& plan, const std::uint32_t* words, ScanResult* result,
                 Stream stream) const;

  /// sum_async() of the values that lie in `range`.
  void range_async(const ColumnPlan& plan, const std::uint32_t* words, ScanRange range,
                   ScanResult* result, Stream stream) const;

  /// The two above, on the scanner's own stream; they return when the result is there, and throw
  /// FormatError if it is damaged().
  ScanResult sum(const DeviceColumn& column) const;
  ScanResult range(const DeviceColumn& column, ScanRange range) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::codecs::cuda
