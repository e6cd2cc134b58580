// One batch of the pruned search in flight: its buffers, its stream, its launches and the way back
// to the host.
#pragma once

#include <span>
#include <vector>

#include "query/gpu/device/memory/arena.hpp"
#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/device/memory/selection.hpp"
#include "query/gpu/device/run/batch_run.hpp"
#include "query/gpu/plan/pruned/pruned_batch.hpp"

namespace gannet::query::cuda {

/// Runs one batch at a time, on the device that is current when it is made. Several used in
/// turn keep the device busy while the host packs and unpacks. Not thread-safe. After an exception,
/// abandon() makes it usable again.
class PrunedRun {
 public:
  /// Room for the tables of a batch of these sizes in `segments` segments, to be filled in before
  /// start().
  PrunedTables tables(const PrunedSizes& sizes, std::uint32_t segments);
  /// Queues all of the work of a batch with these tables without waiting for it.
  void start(const PrunedBatch& batch);
  /// Waits until what was started is done.
  void wait();
  /// After wait(): what it did.
  PrunedCounters counters() const {
    return {selection_.counter(0), selection_.counter(1), selection_.counter(2)};
  }
  double device_seconds() const { return finished_.seconds_since(started_); }
  /// Of it, the copies; 0 for batches of fewer than tuning::kTimedTransfers queries.
  double transfer_seconds() const;
  /// After wait(): merges the hits of the batch into the results, one a query, in parallel. Returns
  /// the numbers of queries that had more finalists than room: they have no results and must be run
  /// in another way.
  std::vector<std::size_t> unpack(const PrunedBatch& batch, std::span<const Target> targets);

  /// Waits for whatever is queued, and was not waited for, and forgets it.
  void abandon() noexcept;

  /// Device memory that a batch in these segments takes.
  static std::uint64_t bytes(PrunedPath path, const PrunedSizes& sizes,
                             const SegmentViews& segments);

 private:
  void set_sizes(const PrunedBatch& batch);
  void make_room(const PrunedSizes& sizes);
  void make_room_for_bounds(const PrunedSizes& sizes);

  codecs::cuda::OwnedStream stream_;
  /// Whether the stream may have work: set before anything is queued, until a wait for it has
  /// succeeded.
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
  /// What the next launches get; tables() and start() fill it in.
  PrunedView view_{};
  const SelectQuery* selections_ = nullptr;
};

}  // namespace gannet::query::cuda
