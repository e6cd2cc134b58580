// What the lists of a batch's terms have, counted while the device searches them.
#pragma once

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <atomic>
#include <cstdint>
#include <span>

#include "query/gpu/device/index/device_segments.hpp"
#include "query/plan/plan_share.hpp"
#include "query/plan/term_binding.hpp"
#include "query/results/results.hpp"

namespace gannet::query::cuda {

/// A list's length lies in a cache line of its own for each term and segment, so that counting
/// would keep the device waiting: it is done by threads of low priority. Lists of an index that is
/// larger than its share of the device are counted at once, as used.
class ListCounter {
 public:
  /// Begins with the plans of `share`. The other arguments must outlive it.
  ListCounter(std::span<const DeviceSegment> segments, const BoundPlans& plans, PlanShare share,
              tbb::task_arena& threads);
  ~ListCounter() { wait(); }
  ListCounter(const ListCounter&) = delete;
  ListCounter& operator=(const ListCounter&) = delete;

  /// Waits, and adds postings and tiles.
  void add_to(Report& report) const;

 private:
  void wait() const;
  void count(std::size_t first, std::size_t last);

  std::span<const DeviceSegment> segments_;
  const BoundPlans& plans_;
  const PlanShare share_;
  tbb::task_arena& threads_;
  std::atomic<std::uint64_t> postings_{0}, tiles_{0};
  mutable tbb::task_group group_;
};

}  // namespace gannet::query::cuda
