// One batch of counts or docids in flight: its buffers, its stream, its launches, and its results
// on the host.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

#include "codecs/base/cuda/memory.hpp"
#include "query/backend/partial_result.hpp"
#include "query/gpu/device/memory/arena.hpp"
#include "query/gpu/device/memory/budget_array.hpp"
#include "query/gpu/plan/matching/match_batch.hpp"

namespace gannet::query::cuda {

/// Counts of a finished batch.
struct MatchCounters {
  std::uint64_t tiles_decoded = 0;
  double device_seconds = 0;
};

/// Where the results of a batch go.
struct MatchSink {
  std::span<PartialResult> results;  ///< by plan of the call
  index::Docid docid_base = 0;       ///< added to the segment's docids
  std::stop_token stop = {};         ///< docids are fetched until it asks to stop
};

/// Runs one batch at a time, on a stream of its own and the device that is current when it is made.
/// Buffers are kept for the next batch. Two of them used in turn keep the device busy while the
/// host packs. Not thread-safe. After an exception, abandon() makes it usable again.
class MatchRun {
 public:
  /// Host memory for the tables of a batch, to be filled before start(). Throws DeviceMemoryError.
  MatchPlaces tables(const MatchSizes& sizes);
  /// Copies the tables to the device and queues counting; of docids also window by window. Waits
  /// for nothing. The batch must live until finish(). Throws DeviceMemoryError.
  void start(const IndexView& index, const MatchBatch& batch, bool docids);
  /// Whether a batch was started and not finished.
  bool running() const { return batch_ != nullptr; }
  /// Waits for the batch and adds the number of matching documents of each query to its result. Of
  /// docids appends the ascending docids too: `docid_bytes` of them are on the device at a time, at
  /// most, or those of one window; waits for the device for each such part. Throws
  /// DeviceMemoryError, CancelledError.
  MatchCounters finish(std::uint64_t docid_bytes, const MatchSink& sink);

  /// Waits for work that is still queued, and drops its results.
  void abandon() noexcept;

 private:
  /// Items numbered first .. last - 1.
  struct Items {
    std::uint64_t first;
    std::uint64_t last;
  };

  void for_each_launch(const std::function<void(MatchView&, const MatchLaunch&)>& f) const;
  std::vector<std::uint64_t> docid_offsets() const;
  void fetch_docids(std::uint64_t docid_bytes, const MatchSink& sink);
  void fetch_part(std::span<const std::uint64_t> offsets, Items part);
  void append_part(std::span<const std::uint64_t> offsets, Items part, const MatchSink& sink) const;

  codecs::cuda::OwnedStream stream_;
  /// Whether the stream may have work: set before anything is queued, cleared when a wait for all
  /// of it has succeeded.
  bool queued_ = false;
  codecs::cuda::Event started_, finished_;
  Arena arena_;
  MatchView view_{};
  const MatchBatch* batch_ = nullptr;
  bool docids_wanted_ = false;
  unsigned long long* tiles_ = nullptr;  ///< in device memory
  BudgetArray<std::uint32_t> item_counts_, docids_;
  BudgetArray<std::uint64_t> offsets_;
  codecs::cuda::PinnedArray<unsigned long long> host_counts_, host_tiles_;
  codecs::cuda::PinnedArray<std::uint32_t> host_item_counts_, host_docids_;
};

}  // namespace gannet::query::cuda
