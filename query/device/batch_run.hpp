// One batch in flight: its buffers, its stream, its launches and the way back to the host.
#pragma once

#include <span>
#include <vector>

#include "codecs/device/memory.hpp"
#include "query/device/arena.hpp"
#include "query/device/assign.hpp"
#include "query/hits.hpp"

namespace gannet::query::cuda {

/// What a finished batch did.
struct BatchCounters {
  std::uint64_t tiles_decoded = 0;
  double device_seconds = 0;
};

/// Runs one batch at a time. start_*() packs the batch and queues all of its work without waiting
/// for it; finish_*() waits and gives the results. Two BatchRuns used in turn keep the device busy
/// while the host packs and unpacks.
class BatchRun {
 public:
  /// Top k, with candidates for `max_warps` warps. `assignment` must outlive the batch.
  void start_top_k(const IndexView& index, const Assignment& assignment, std::uint32_t max_warps);
  /// Appends one list of hits per query, best first.
  BatchCounters finish_top_k(std::vector<std::vector<Hit>>& hits);

  /// Number of matching documents of every query; with `docids` their ascending docids too.
  /// Synchronous.
  BatchCounters match(const IndexView& index, const Assignment& assignment, bool docids,
                      std::vector<std::uint64_t>& counts,
                      std::vector<std::vector<std::uint32_t>>& matches);

  /// Device memory that one batch's keys take: what the pool is for.
  static std::uint64_t key_bytes(const Assignment& assignment);

 private:
  struct Tables {
    BatchView view;
    std::uint32_t* heads;  ///< a queue head per launch
  };

  Tables send_tables(const IndexView& index, const Assignment& assignment);
  void launch_items(const Assignment& assignment, Tables tables);
  void launch_selection_of(const Assignment& assignment, const BatchView& view);
  std::vector<std::uint64_t> offsets_of_items(const Assignment& assignment) const;
  void read_counter(const BatchView& view);

  codecs::cuda::OwnedStream stream_;
  codecs::cuda::Event started_, finished_;
  Arena arena_;
  codecs::cuda::DeviceArray<std::uint64_t> candidates_, finalists_, selected_, sorted_,
      match_counts_, offsets_;
  codecs::cuda::DeviceArray<std::uint32_t> counts_, docids_;
  codecs::cuda::DeviceArray<std::int64_t> ends_;
  codecs::cuda::DeviceArray<unsigned char> scratch_;
  codecs::cuda::PinnedArray<std::uint64_t> host_keys_, host_match_counts_;
  codecs::cuda::PinnedArray<std::uint32_t> host_counts_, host_docids_;
  codecs::cuda::PinnedArray<unsigned long long> host_tiles_;
  const Assignment* running_ = nullptr;
};

}  // namespace gannet::query::cuda
