// Queries of a bitmap index in one kernel, which decodes, combines and counts the vectors without
// writing decompressed vectors to memory. (The kernels of the paper, stage by stage, are in
// bench/papers/wah.)
//
// A thread block takes 128 groups of all vectors of a query at a time; each of its warps takes a
// share of the vectors. A warp finds the atoms of 128 groups of 8 vectors by one 8-byte load a lane
// (bitmap_rank.hpp), skips 32 groups of zeros at once, ORs groups in registers,
// and collects the clauses in shared memory. Then the block ANDs the clauses and counts the rows.
// The kernel writes the count to page-locked host memory, where the calling thread polls for it:
// the count needs no copy and no synchronizing call.
//
// The header includes no CUDA header. In a build without CUDA every function throws NoDeviceError.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bench/papers/wah/bitmap/device/bitmap_device.hpp"

namespace gannet::wah::cuda {

/// Runs queries on a stream of its own. Not thread-safe: one thread may use an object at a time.
/// Any number of objects may share a DeviceBitmap, which must outlive them. The device of the
/// bitmap must be the current one in every call. Every query function returns when its
/// result is on the host.
template <class Word>
class FusedQuery {
 public:
  /// Throws DeviceMemoryError if the device has not enough memory.
  explicit FusedQuery(const DeviceBitmap<Word>& bitmap);
  ~FusedQuery();
  FusedQuery(FusedQuery&&) noexcept;
  FusedQuery& operator=(FusedQuery&&) noexcept;

  /// The number of rows that a query selects. One launch. Throws UsageError for vectors that do not
  /// exist, and for a query that does not fit into the shared memory of a thread block: a vector
  /// takes 20 bytes, a clause 1 KiB with 32-bit atoms and 2 KiB with 64-bit atoms. With the 227 KiB
  /// of an NVIDIA H200 these are about 10,000 vectors, or 100 clauses of 64-bit atoms. Throws
  /// DeviceMemoryError if the query does not fit into device memory.
  std::uint64_t count(const BitmapQuery& query);

  /// The number of rows that each query selects, in one launch. Throws UsageError for more than
  /// 65,535 queries; other errors as for count().
  std::vector<std::uint64_t> counts(std::span<const BitmapQuery> queries);

  /// The number of rows that a query selects. The selected rows stay on the device as decompressed
  /// groups, for groups() and rows(). Errors as for count().
  std::uint64_t select(const BitmapQuery& query);

  /// Copies the groups of the last select() to the host: DeviceBitmap::groups() words. Throws
  /// UsageError before the first select().
  std::vector<Word> groups() const;

  /// The numbers of the rows of the last select(), ascending. They are computed on the device and
  /// copied to the host. Throws UsageError before the first select(), and DeviceMemoryError if they
  /// do not fit into device memory.
  std::vector<std::uint32_t> rows();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::wah::cuda
