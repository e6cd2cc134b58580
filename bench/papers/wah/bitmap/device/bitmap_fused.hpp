// Range queries in one kernel, which decodes, combines and counts without writing decompressed
// vectors. (The paper's stages: bench/papers/wah.)
//
// A block takes 128 groups of all the query's vectors, its warps a share of the vectors each. A
// warp finds the atoms of 128 groups of 8 vectors by one 8-byte load a lane (bitmap_rank.hpp),
// skips what is all zeros, and ORs the rest in registers; shared memory collects the clauses, which
// are then ANDed and counted. The count goes to page-locked host memory, where the caller looks for
// it: no copy and no synchronising call.
//
// Includes no CUDA header; in a build without CUDA every call throws NoDeviceError.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "bench/papers/wah/bitmap/device/bitmap_device.hpp"

namespace gannet::wah::cuda {

/// Runs queries on one stream of its own. One thread at a time; any number of objects may share a
/// DeviceBitmap, which must outlive them.
template <class Word>
class FusedQuery {
 public:
  /// Throws DeviceMemoryError.
  explicit FusedQuery(const DeviceBitmap<Word>& bitmap);
  ~FusedQuery();
  FusedQuery(FusedQuery&&) noexcept;
  FusedQuery& operator=(FusedQuery&&) noexcept;

  /// How many rows a query selects. One launch; waits. Throws UsageError for vectors that do not
  /// exist and for queries beyond what shared memory holds (about 10,000 vectors, or
  /// 100 clauses of 64-bit atoms).
  std::uint64_t count(const BitmapQuery& query);

  /// Counts of many queries (up to 65,535), in one launch. Throws as count().
  std::vector<std::uint64_t> counts(std::span<const BitmapQuery> queries);

  /// count(), with the selected rows' groups left on the device, where groups() and rows() find
  /// them.
  std::uint64_t select(const BitmapQuery& query);

  /// The groups that the last select() left, copied to the host.
  std::vector<Word> groups() const;

  /// The row ids, ascending, that the last select() left, made on the device and copied to the
  /// host.
  std::vector<std::uint32_t> rows();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gannet::wah::cuda
