// One batch in flight: its buffers, its stream, its launches and the way back to the host.
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

/// What a finished batch did.
struct BatchCounters {
  std::uint64_t tiles_decoded = 0;
  double device_seconds = 0;
};

/// Items numbered first .. last - 1.
struct ItemRange {
  std::uint32_t first;
  std::uint32_t last;
};

/// Where the results of a query go.
struct Target {
  PartialResult* result;
  /// Of the plan: the query's own k is no more than its segment can give.
  std::uint32_t k;
};

/// Where the results of a batch go.
struct Sink {
  /// One per query.
  std::span<const Target> targets;
  /// Added to the segment's docids.
  index::Docid docid_base = 0;
};

/// Runs one batch at a time, on the device that is current when it is made. start_top_k() packs the
/// batch and queues all of its work without waiting for it. Two BatchRuns used in turn keep the
/// device busy while the host packs and unpacks. Not thread-safe. After an exception, abandon()
/// makes it usable again.
class BatchRun {
 public:
  /// Top k, with candidates for `max_warps` warps.
  void start_top_k(const IndexView& index, const Assignment& assignment, std::uint32_t max_warps);
  /// Waits until what was started is done.
  BatchCounters wait();
  /// After wait(): merges the hits of the batch that was started with `assignment` into the
  /// results, in parallel.
  void unpack_top_k(const Assignment& assignment, const Sink& sink);

  /// Adds the number of matching documents of every query; with `docids` appends their ascending
  /// docids too, at most `docid_bytes` of them on the device at a time, or those of one item.
  /// Synchronous.
  BatchCounters match(const IndexView& index, const Assignment& assignment, bool docids,
                      std::uint64_t docid_bytes, const Sink& sink);

  /// Waits for whatever is queued, and was not waited for, and forgets it.
  void abandon() noexcept;

  /// Device memory that one batch's keys take: what the pool is for.
  static std::uint64_t key_bytes(const Assignment& assignment);

 private:
  struct Tables {
    BatchView view;
    const SelectQuery* selections;
    std::uint32_t* heads;  ///< a queue head per launch
  };

  Tables send_tables(const IndexView& index, const Assignment& assignment,
                     const Schedule& schedule);
  void launch_items(const Schedule& schedule, const Tables& tables);
  std::uint64_t fetch_docids(const IndexView& index, const Assignment& assignment,
                             std::span<const std::uint64_t> offsets, std::uint64_t docid_bytes,
                             const Sink& sink);
  void fetch_chunk(const IndexView& index, const Assignment& assignment,
                   std::span<const std::uint64_t> offsets, ItemRange chunk);
  void append_chunk(const Assignment& assignment, std::span<const std::uint64_t> offsets,
                    ItemRange chunk, const Sink& sink) const;
  void read_counter(const BatchView& view);

  codecs::cuda::OwnedStream stream_;
  /// Whether the stream may have work: set before anything is queued, until a wait for all of it
  /// has succeeded.
  bool queued_ = false;
  codecs::cuda::Event started_, finished_;
  Arena arena_;
  Selection selection_;
  BudgetArray<std::uint64_t> candidates_, finalists_, match_counts_, offsets_;
  BudgetArray<std::uint32_t> docids_;
  codecs::cuda::PinnedArray<std::uint64_t> host_match_counts_;
  codecs::cuda::PinnedArray<std::uint32_t> host_docids_;
  codecs::cuda::PinnedArray<unsigned long long> host_tiles_;
};

}  // namespace gannet::query::cuda
