// Counts the postings and tiles of a batch's lists, while the device searches them.
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

/// Each list's length is in another cache line, so counting before the search would keep the device
/// waiting. Threads of low priority count during the search instead. If the index is larger than
/// its share of device memory, lists are counted at once, since the counts decide which are on the
/// device.
class ListCounter {
 public:
  /// Begins to count the lists of the plans of `share`. The other arguments must outlive it.
  ListCounter(std::span<const DeviceSegment> segments, const BoundPlans& plans, PlanShare share,
              tbb::task_arena& threads);
  ~ListCounter() { wait(); }
  ListCounter(const ListCounter&) = delete;
  ListCounter& operator=(const ListCounter&) = delete;

  /// Waits for the counts, and adds them to the report.
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
