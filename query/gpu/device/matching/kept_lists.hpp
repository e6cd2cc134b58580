// Lists of an index that counts and docids have read on a device: that they are sound, and the
// bitmaps of those that many documents have.
#pragma once

#include <tbb/task_arena.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <vector>

#include "query/bounds/least_counts.hpp"
#include "query/gpu/device/index/device_segments.hpp"
#include "query/gpu/device/list_stats/term_table.hpp"
#include "query/gpu/device/memory/budget_array.hpp"

namespace gannet::query::cuda {

/// A list that was checked.
struct KeptList {
  const std::uint64_t* bitmap;  ///< in device memory, bitmap_room() words; null: it is decoded
};

/// Lists of one segment. What is there stays as it is, as long as the table lives. Thread-safe.
class KeptListTable {
 public:
  /// Lists of `least_count` postings or more get a bitmap. `segment` must outlive it.
  KeptListTable(const DeviceSegment& segment, std::uint32_t least_count)
      : segment_(segment), least_count_(least_count) {}

  /// Null if the list was not added yet. Takes no lock; constant time.
  const KeptList* find(index::TermId id) const { return by_term_.find(id); }

  /// Checks lists and makes their bitmaps, on a stream of its own, and waits for it; where memory
  /// is short, the longest lists get one. The device of the segment must be current. Throws
  /// FormatError for a damaged list, CancelledError, CudaError.
  void add(std::vector<index::TermId> ids, tbb::task_arena& arena, const std::stop_token& stop);

  /// Device memory of the bitmaps.
  std::uint64_t bytes() const;

 private:
  BudgetArray<std::uint64_t> make_bitmaps(std::span<const index::TermId> ids) const;

  const DeviceSegment& segment_;
  const std::uint32_t least_count_;
  std::mutex making_;         ///< held while bitmaps are made: no list gets two
  mutable std::mutex mutex_;  ///< of what follows; not held while memory is allocated
  std::deque<KeptList> lists_;
  std::vector<BudgetArray<std::uint64_t>> bitmaps_;
  TermTable<KeptList> by_term_;  ///< may be read without the lock
};

/// The tables of all segments of an index. Thread-safe.
class KeptListCache {
 public:
  using Segments = std::vector<std::unique_ptr<KeptListTable>>;

  /// `bits`: what bitmaps may take, in bits per posting of the index; it decides from which length
  /// on lists have one. 0: none has.
  explicit KeptListCache(double bits);

  /// Valid as long as it is held, also if the cache gives its memory back. `segments`: those of the
  /// index, equal in every call; they must outlive this object. The first call counts the lists of
  /// the segments; no lock is held meanwhile. Throws CancelledError.
  std::shared_ptr<Segments> hold(std::span<const DeviceSegment> segments,
                                 const std::stop_token& stop);
  /// Device memory of all bitmaps.
  std::uint64_t bytes() const;
  /// Frees all tables, unless a call holds them. Returns whether there was memory to free.
  bool give_back();

 private:
  const double bits_;
  LeastCounts least_;  ///< locks for itself
  mutable std::mutex mutex_;
  std::shared_ptr<Segments> segments_;  ///< null: there are none
};

}  // namespace gannet::query::cuda
