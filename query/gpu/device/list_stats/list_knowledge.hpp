// What the pruned search knows of lists, for one scorer with its parameters, among all documents or
// those that pass a filter: their largest contributions, those at some ranks, and bounds in device
// memory of the longer ones. Found out on the device when lists are first searched, and kept.
#pragma once

#include <tbb/task_arena.h>

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codecs/base/cuda/memory.hpp"
#include "query/gpu/device/columns/device_filter.hpp"
#include "query/gpu/device/index/device_segments.hpp"
#include "query/gpu/device/list_stats/term_table.hpp"
#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/plan/pruned/facts.hpp"
#include "query/gpu/plan/pruned/known_list.hpp"

namespace gannet::query::cuda {

/// Device memory for bounds of lists; never freed before the end. Thread-safe.
class BoundsRooms {
 public:
  explicit BoundsRooms(std::uint32_t superblocks) : superblocks_(superblocks) {}

  /// Room for the bounds of a list of `count` postings, with `small_groups` for the docids before
  /// these; null pointers if device memory is short, then and for some lists after it.
  BoundsRoom take(std::uint32_t count, bool small_groups);
  /// Room for other codes of a list that has bounds.
  BoundsRoom take_codes(const BoundsRoom& bounds);
  /// What was taken.
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

/// The lists of one segment, for one scorer and its parameters. Thread-safe.
class ListKnowledge {
 public:
  /// Lists with at least `least_count` postings get bounds. Segment and copy must outlive it.
  ListKnowledge(const index::Segment& segment, const DeviceIndex& copy, std::uint32_t least_count);
  /// Among the documents that pass a filter; which pointers its bounds have, `all` knows, which
  /// must outlive it.
  ListKnowledge(ListKnowledge& all, std::shared_ptr<const DeviceFilter> filter);

  /// What is known of a list, which stays valid as long as this object lives; null if that is
  /// nothing yet.
  const KnownList* find(index::TermId id) const { return by_term_.find(id); }

  /// Finds out about the lists of which nothing is known; then it waits for the device, which must
  /// be the current one. The plans are those that this object serves. Returns the seconds that this
  /// took. Throws FormatError for a damaged list, DeviceMemoryError. Lists that another thread
  /// finds out about just now are waited for, without a lock.
  double learn(std::vector<WantedList> lists, tbb::task_arena& arena, const std::stop_token& stop);

  /// The filter that documents are to pass; null: none.
  const std::shared_ptr<const DeviceFilter>& filter() const { return filter_; }
  std::uint32_t documents() const { return copy_.view().documents; }
  std::uint64_t bytes() const;

 private:
  void check_lists(std::span<const WantedList> lists, tbb::task_arena& arena,
                   const std::stop_token& stop) const;
  class Claims;
  std::vector<WantedList> claim(std::vector<WantedList>& lists);
  void unclaim(std::span<const WantedList> lists);
  void wait_for(std::span<const WantedList> lists, const std::stop_token& stop);
  void learn_claimed(std::span<const WantedList> lists, tbb::task_arena& arena,
                     const std::stop_token& stop);
  void find_out(std::span<const WantedList> lists);
  BoundsRoom room_of(index::TermId id, bool small_groups);
  BoundsRoom take_room(index::TermId id, bool small_groups);
  KnownList known_list(index::TermId id, const Contribution& unit, const BoundsRoom& room,
                       const ListFacts& facts) const;

  const index::Segment& segment_;
  const DeviceIndex& copy_;
  const std::uint32_t least_count_;
  ListKnowledge* const all_ = nullptr;
  const std::shared_ptr<const DeviceFilter> filter_;
  BoundsRooms rooms_;  ///< locks for itself
  std::mutex mutex_;   ///< of what follows; nobody waits while it is held
  std::condition_variable_any learnt_;
  std::unordered_set<index::TermId> claimed_;            ///< lists that some thread finds out about
  std::unordered_map<index::TermId, BoundsRoom> taken_;  ///< for claimed lists
  std::deque<KnownList> known_;
  TermTable<KnownList> by_term_;  ///< may be read without the lock
};

}  // namespace gannet::query::cuda
