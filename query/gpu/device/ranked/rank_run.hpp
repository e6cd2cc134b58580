// One batch of the ranked search by windows in flight: its buffers, its stream, its launches, and
// its results on the host.
#pragma once

#include <cstdint>
#include <span>

#include "codecs/base/cuda/memory.hpp"
#include "query/gpu/device/memory/arena.hpp"
#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/device/memory/selection.hpp"
#include "query/gpu/device/run/batch_run.hpp"
#include "query/gpu/plan/ranked/rank_batch.hpp"

namespace gannet::query::cuda {

/// Runs one batch at a time, on a stream of its own and the device that is current when it is made.
/// Buffers are kept for the next batch. Two of them used in turn keep the device busy while the
/// host packs and unpacks. Not thread-safe. After an exception, abandon() makes it usable again.
class RankRun {
 public:
  struct Tables {
    RankPlaces places;
    std::uint64_t* thresholds;  ///< by query: RankView::thresholds before the launch
  };

  /// Host memory for the tables of a batch, to be filled before start(). Throws DeviceMemoryError.
  Tables tables(const RankBatch& batch);
  /// Copies the tables to the device and queues the search by up to `blocks` thread blocks. Waits
  /// for nothing. The batch must live until finish(). Throws DeviceMemoryError.
  void start(const IndexView& index, const RankBatch& batch, std::uint32_t blocks, bool use_bounds);
  /// Whether a batch was started and not finished.
  bool running() const { return batch_ != nullptr; }
  /// Waits for the batch.
  BatchCounters wait();
  /// After wait(): merges the hits of the batch into the results, one target per query, in
  /// parallel. Afterwards no batch is running.
  void unpack(const Sink& sink);

  /// Waits for work that is still queued, and drops its results.
  void abandon() noexcept;

  /// Bytes of device memory that each thread block takes.
  static std::uint64_t bytes_of_block(const RankBatch& batch);

 private:
  codecs::cuda::OwnedStream stream_;
  /// Whether the stream may have work: set before anything is queued, cleared when a wait for all
  /// of it has succeeded.
  bool queued_ = false;
  codecs::cuda::Event started_, finished_;
  Arena arena_;
  Selection selection_;
  const RankBatch* batch_ = nullptr;
  /// The parameter of the next launches; tables() and start() fill it.
  RankView view_{};
  const SelectQuery* selections_ = nullptr;
  BudgetArray<std::uint64_t> candidates_, finalists_;
  BudgetArray<RankCursor> cursors_;
};

}  // namespace gannet::query::cuda
