// One batch of the exhaustive search in flight: its buffers, its stream, its launches, and its
// results on the host.
#pragma once

#include <span>
#include <vector>

#include "codecs/base/cuda/memory.hpp"
#include "query/backend/partial_result.hpp"
#include "query/gpu/device/memory/arena.hpp"
#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/device/memory/selection.hpp"
#include "query/gpu/plan/assign.hpp"

namespace gannet::query::cuda {

/// Counts of a finished batch.
struct BatchCounters {
  std::uint64_t tiles_decoded = 0;
  double device_seconds = 0;
};

/// The result that a query's hits are merged into.
struct Target {
  PartialResult* result;
  /// The plan's k. The query's k is smaller where its segment cannot give as many hits.
  std::uint32_t k;
};

/// The results that a batch's hits are merged into.
struct Sink {
  /// One per query.
  std::span<const Target> targets;
  /// Added to the segment's docids.
  index::Docid docid_base = 0;
};

/// Runs one batch at a time, on a stream of its own and the device that is current when it is made.
/// Buffers are kept for the next batch; they are allocated, which waits for the device, only for a
/// batch that is larger than all before it. Two BatchRuns used in turn keep the device busy while
/// the host packs and unpacks. Not thread-safe. After an exception, abandon() makes it usable
/// again.
class BatchRun {
 public:
  /// Copies the tables to the device and queues the search for the top k, with memory for the
  /// candidates of `max_warps` warps. Waits for nothing. Throws DeviceMemoryError.
  void start_top_k(const IndexView& index, const Assignment& assignment, std::uint32_t max_warps);
  /// Waits for the work that start_top_k() queued.
  BatchCounters wait();
  /// After wait(): merges the hits of the batch that was started with `assignment` into the
  /// results, in parallel.
  void unpack_top_k(const Assignment& assignment, const Sink& sink);

  /// Waits for work that is still queued, and drops its results.
  void abandon() noexcept;

  /// Bytes of device memory for the keys of a batch, which are limited by the pool.
  static std::uint64_t key_bytes(const Assignment& assignment);

 private:
  struct Tables {
    BatchView view;
    const SelectQuery* selections;
    std::uint32_t* heads;  ///< a queue head per launch
  };

  Tables send_tables(const IndexView& index, const Assignment& assignment);
  void launch_items(const Schedule& schedule, const Tables& tables);

  codecs::cuda::OwnedStream stream_;
  /// Whether the stream may have work: set before anything is queued, cleared when a wait for all
  /// of it has succeeded.
  bool queued_ = false;
  codecs::cuda::Event started_, finished_;
  Arena arena_;
  Selection selection_;
  BudgetArray<std::uint64_t> candidates_, finalists_;
};

}  // namespace gannet::query::cuda
