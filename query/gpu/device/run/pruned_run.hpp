// One batch of the pruned search in flight: its buffers, its stream, its launches, and its results
// on the host.
#pragma once

#include <span>
#include <vector>

#include "query/gpu/device/memory/arena.hpp"
#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/device/memory/selection.hpp"
#include "query/gpu/device/run/batch_run.hpp"
#include "query/gpu/plan/pruned/pruned_batch.hpp"

namespace gannet::query::cuda {

/// Runs one batch at a time, on a stream of its own and the device that is current when it is made.
/// Buffers are kept for the next batch; they are allocated, which waits for the device, only for a
/// batch that is larger than all before it. Several PrunedRuns used in turn keep the device busy
/// while the host packs and unpacks. Not thread-safe. After an exception, abandon() makes it usable
/// again.
class PrunedRun {
 public:
  /// Host memory for the tables of a batch of these sizes in `segments` segments, to be filled
  /// before start(). Throws DeviceMemoryError.
  PrunedTables tables(const PrunedSizes& sizes, std::uint32_t segments);
  /// Copies the tables to the device and queues all work of the batch. Waits for nothing. Throws
  /// DeviceMemoryError.
  void start(const PrunedBatch& batch);
  /// Waits for the work that start() queued.
  void wait();
  /// After wait(): the counts of the batch.
  PrunedCounters counters() const {
    return {selection_.counter(0), selection_.counter(1), selection_.counter(2)};
  }
  double device_seconds() const { return finished_.seconds_since(started_); }
  /// The part of device_seconds() that copies took; 0 for batches of fewer than
  /// tuning::kTimedTransfers queries.
  double transfer_seconds() const;
  /// After wait(): merges the hits of the batch into the results, one per query, in parallel.
  /// Returns the numbers of queries that had more finalists than room: they get no hits and must be
  /// run in another way.
  std::vector<std::size_t> unpack(const PrunedBatch& batch, std::span<const Target> targets);

  /// Waits for work that is still queued, and drops its results.
  void abandon() noexcept;

  /// Bytes of device memory that a batch of these sizes takes, at most.
  static std::uint64_t bytes(PrunedPath path, const PrunedSizes& sizes,
                             const SegmentViews& segments);

 private:
  void set_sizes(const PrunedBatch& batch);
  void make_room(const PrunedSizes& sizes);
  void make_room_for_bounds(const PrunedSizes& sizes);

  codecs::cuda::OwnedStream stream_;
  /// Whether the stream may have work: set before anything is queued, cleared when a wait for it
  /// has succeeded.
  bool queued_ = false;
  codecs::cuda::Event started_, sent_, finished_;
  Arena arena_;
  Selection selection_;
  BudgetArray<uint4> sums_;
  BudgetArray<std::uint64_t> finalists_;
  BudgetArray<float2> bins_;
  BudgetArray<std::uint32_t> entry_ranges_, short_groups_, chunk_tiles_, first_items_, units_,
      histogram_, by_query_;
  BudgetArray<std::uint16_t> entry_bounds_, maxima_;
  /// The parameter of the next launches; tables() and start() fill it.
  PrunedView view_{};
  const SelectQuery* selections_ = nullptr;
};

}  // namespace gannet::query::cuda
