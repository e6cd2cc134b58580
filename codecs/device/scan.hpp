// Scans with inline decompression: counts and sums over an encoded column. The kernel that adds the
// values up decodes them itself; decoded values are never written to memory.
//
// The header includes no CUDA header: it compiles with plain g++. In a build without CUDA
// scans_inline() returns false, and every other function throws NoDeviceError.
#pragma once

#include <cstdint>
#include <memory>

#include "codecs/base/cuda/memory_resource.hpp"
#include "codecs/device/columns.hpp"

namespace gannet::codecs::cuda {

/// The number of values that a scan counted, and their sum modulo 2^64. For signed types `sum` has
/// the bits of the signed sum.
struct ScanResult {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  /// Whether the decoder noticed that the words were damaged after they had been validated. `count`
  /// and `sum` are 2^64 - 1 then. Only the decoder of codec deflate checks for damage.
  bool damaged() const { return count == ~std::uint64_t{0}; }
  friend bool operator==(const ScanResult&, const ScanResult&) = default;
};

/// The values from `low` to `high`, both included; no value if `low` > `high`. The bounds are
/// widened to 64 bits, with their sign if the column's type is signed, and are compared as numbers
/// of that signedness. They may lie outside of the range of the column's type.
struct ScanRange {
  std::uint64_t low;
  std::uint64_t high;

  template <class T>
  static ScanRange of(T low, T high) {
    return {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(high)};
  }
};

/// Whether ColumnScanner can scan a column with this plan: a column of a tile codec, or of a chunk
/// codec if a decoded chunk and the codec's scratch memory fit into 47 KiB of shared memory. Other
/// columns have to be decoded first.
bool scans_inline(const ColumnPlan& plan);

/// Scans columns of the device that was current when the scanner was constructed, whatever the
/// current device of the calling thread. Thread-safe. Scans on different streams overlap; scans on
/// one stream follow one another. cudaStreamPerThread counts as one stream for each thread. A
/// stream must not be destroyed while a scan on it is under way.
class ColumnScanner {
 public:
  /// The number of streams that a scanner can be used with in its life, because each gets device
  /// memory of its own. A stream on which scans are both captured and run counts twice. The
  /// scanner's own stream counts once sum() or range() is called.
  static constexpr std::size_t kStreams = 16;

  /// Allocates about 16 KiB of device memory from `resource` on the current device (synchronous).
  /// The destructor frees it; no scan may be under way then. Throws DeviceMemoryError if the memory
  /// does not fit.
  explicit ColumnScanner(MemoryResource& resource = malloc_resource());
  ~ColumnScanner();
  ColumnScanner(ColumnScanner&&) noexcept;
  ColumnScanner& operator=(ColumnScanner&&) noexcept;

  /// Writes the count and the sum of all values of a column to `*result` (device memory, 8-byte
  /// aligned) on `stream`. Does not allocate or wait; may be captured in a graph. `words` is that
  /// of decode_column_async(). Throws UsageError unless scans_inline(plan), for addresses that are
  /// not aligned, for words that belong to another device than the scanner, and if kStreams streams
  /// have been used before this one.
  ///
  /// A graph with captured scans may be launched on any stream, while scans that are not captured
  /// run. Graphs whose scans were captured on one stream share memory: only one launch of all these
  /// graphs may run at a time. cudaStreamPerThread counts as one stream here, whatever the thread.
  void sum_async(const ColumnPlan& plan, const std::uint32_t* words, ScanResult* result,
                 Stream stream) const;

  /// sum_async() of the values that lie in `range`: writes their count and their sum.
  void range_async(const ColumnPlan& plan, const std::uint32_t* words, ScanRange range,
                   ScanResult* result, Stream stream) const;

  /// Synchronous forms of sum_async() and range_async(), on the scanner's own stream: concurrent
  /// calls wait for each other. Errors as for sum_async(), and FormatError if the result is
  /// damaged().
  ScanResult sum(const DeviceColumn& column) const;
  ScanResult range(const DeviceColumn& column, ScanRange range) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::codecs::cuda
