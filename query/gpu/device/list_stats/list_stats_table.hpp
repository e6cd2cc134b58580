// Statistics of the lists of one segment, for one scorer with its parameters, among all documents
// or those that pass a filter: the largest contributions, those at some ranks among the documents
// that are not deleted, and bounds of the longer lists in device memory. The device computes them
// when a list is first searched.
#pragma once

#include <tbb/task_arena.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <stop_token>
#include <vector>

#include "codecs/base/cuda/memory.hpp"
#include "index/segment/live_documents.hpp"
#include "query/gpu/device/columns/device_filter.hpp"
#include "query/gpu/device/index/device_segments.hpp"
#include "query/gpu/device/list_stats/term_table.hpp"
#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/plan/pruned/facts.hpp"
#include "query/gpu/plan/pruned/list_stats.hpp"

namespace gannet::query::cuda {

/// Device memory for the bounds of lists, from slabs that are freed with this object. Thread-safe.
class BoundsRooms {
 public:
  explicit BoundsRooms(std::uint32_t superblocks) : superblocks_(superblocks) {}

  /// Memory for the bounds of a list of `count` postings; with `small_groups` also for the docids
  /// before groups of 32. Null pointers if device memory is short. It is then not asked for again
  /// for some lists. May allocate device memory, which waits for the device.
  BoundsRoom take(std::uint32_t count, bool small_groups);
  /// Memory for other codes of a list that has bounds. The other pointers are those of `bounds`.
  BoundsRoom take_codes(const BoundsRoom& bounds);
  /// Bytes that take(count, small_groups) takes.
  std::uint64_t bytes_for(std::uint32_t count, bool small_groups) const;
  /// Bytes that were taken.
  std::uint64_t bytes() const;

 private:
  unsigned char* take(std::uint64_t bytes);
  unsigned char* take_here(std::uint64_t bytes);
  std::uint64_t code_bytes() const;

  const std::uint32_t superblocks_;
  mutable std::mutex mutex_;  ///< of what follows; not held while memory is allocated
  std::vector<BudgetArray<unsigned char>> slabs_;
  std::uint64_t used_ = 0;  ///< of the last slab
  std::uint64_t bytes_ = 0;
  std::uint64_t slab_bytes_ = 0;
  std::uint32_t refused_ = 0;  ///< lists that get none before it is tried again
};

/// ListStats of one segment, for one scorer and its parameters. Thread-safe.
class ListStatsTable {
 public:
  /// Lists with at least `least_count` postings get bounds. `live`: the documents that are not
  /// deleted; null: all. Segment and copy must outlive it. The device of the copy must be current.
  /// Throws DeviceMemoryError.
  ListStatsTable(const index::Segment& segment, const DeviceIndex& copy, std::uint32_t least_count,
                 const index::LiveDocuments* live);
  /// Among the documents that pass a filter. `all` has the statistics among all documents, of whose
  /// bounds this table uses the pointers; it must outlive it.
  ListStatsTable(ListStatsTable& all, std::shared_ptr<const DeviceFilter> filter);

  /// The statistics of a list, valid as long as this object; null if they are not computed yet.
  /// Takes no lock; constant time.
  const ListStats* find(const ListKey& key) const {
    return by_term_.find(key.id,
                         [&](const ListStats& stats) { return stats.unit.statistics() == key.of; });
  }

  /// Computes the statistics of those of the lists that have none, on a stream of its own, and
  /// waits for it. The device of the copy must be current. The plans must have this table's scorer
  /// and collection. Lists that another thread computes at the moment are waited for, without a
  /// lock. Decodes each list twice. Returns the seconds that it took. Throws FormatError for a
  /// damaged list, DeviceMemoryError, CancelledError.
  double compute(std::vector<MissingList> lists, tbb::task_arena& arena,
                 const std::stop_token& stop);

  /// The filter that the documents behind the statistics pass; null: all documents.
  const std::shared_ptr<const DeviceFilter>& filter() const { return filter_; }
  std::uint32_t documents() const { return copy_.view().documents; }
  /// Documents that have ranks in statistics among all documents: those that are not deleted.
  std::uint64_t counted() const { return counted_; }
  std::uint64_t bytes() const;
  /// The part of bytes() that lists take that have statistics for another term already.
  std::uint64_t repeated_bytes() const { return repeated_.load(std::memory_order_relaxed); }

 private:
  void check_lists(std::span<const MissingList> lists, tbb::task_arena& arena,
                   const std::stop_token& stop) const;
  class Claims;
  std::vector<MissingList> claim(std::vector<MissingList>& lists);
  void unclaim(std::span<const MissingList> lists);
  void wait_for(std::span<const MissingList> lists, const std::stop_token& stop);
  void compute_claimed(std::span<const MissingList> lists, tbb::task_arena& arena,
                       const std::stop_token& stop);
  void compute_on_device(std::span<const MissingList> lists);
  const DeviceList& place_of(const MissingList& list) const;
  BoundsRoom room_of(const MissingList& list, bool small_groups);
  BoundsRoom take_room(const MissingList& list, bool small_groups);
  Contribution unit_of(const MissingList& list) const;
  ListStats make_stats(const MissingList& list, const Contribution& unit, const BoundsRoom& room,
                       const ListFacts& facts) const;

  const index::Segment& segment_;
  const DeviceIndex& copy_;
  const std::uint32_t least_count_;
  ListStatsTable* const all_ = nullptr;
  const std::shared_ptr<const DeviceFilter> filter_;
  const BudgetArray<std::uint64_t> live_;  ///< empty: no document is deleted, or there is a filter
  const std::uint64_t counted_;
  BoundsRooms rooms_;  ///< locks for itself
  std::atomic<std::uint64_t> repeated_{0};
  std::mutex mutex_;  ///< of what follows; no thread waits while holding it
  std::condition_variable_any computed_;
  std::set<ListKey> claimed_;            ///< lists whose statistics some thread computes
  std::map<ListKey, BoundsRoom> taken_;  ///< for claimed lists
  std::deque<ListStats> stats_;
  TermTable<ListStats> by_term_;  ///< may be read without the lock
};

}  // namespace gannet::query::cuda
