// What columns say of a bitmap of matches, on the device: all that is asked for is queued, and the
// host waits once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "query/backend/column_work.hpp"
#include "query/gpu/device/matches/bin_counter.hpp"
#include "query/gpu/device/matches/code_counter.hpp"
#include "query/gpu/device/matches/code_summer.hpp"
#include "query/gpu/device/matches/segment_fields.hpp"
#include "query/gpu/device/memory/arena.hpp"

namespace gannet::query::cuda {

/// A finished bitmap on the stream.
struct MatchBitmap {
  const std::uint64_t* words;
  std::uint32_t documents;
  std::uint64_t most;  ///< a bound of the number of matches
};

/// The memory is kept for the next use. Not thread-safe.
class ColumnPass {
 public:
  explicit ColumnPass(cudaStream_t stream) : stream_(stream), first_(stream) {}

  /// Queues what the device can do and waits for it. The findings have the matches, too, if
  /// `work` wants them or something is not known. Throws DeviceMemoryError.
  SegmentFindings run(const SegmentFields& fields, const ColumnWork& work,
                      const MatchBitmap& matches);

  /// Waits for work that is still queued, and drops its results.
  void abandon() noexcept;

 private:
  /// Of one request.
  template <class Worker>
  struct Job {
    Worker worker;
    bool started = false;
    explicit Job(cudaStream_t stream) : worker(stream) {}
  };
  template <class Worker>
  using Jobs = std::vector<std::unique_ptr<Job<Worker>>>;

  template <class Worker, class Start>
  void start(Jobs<Worker>& jobs, const std::vector<std::shared_ptr<const DeviceField>>& fields,
             const Start& start);
  template <class Worker, class Found>
  void take(Jobs<Worker>& jobs, std::size_t count, std::uint64_t matches, ColumnReason reason,
            Found& found);

  void queue(const SegmentFields& fields, const ColumnWork& work, const MatchBitmap& matches);
  void queue_first(const SegmentFields& fields, const FirstWanted& wanted,
                   const MatchBitmap& matches);
  void queue_rows(const SegmentFields& fields, const FirstWanted& wanted,
                  const MatchBitmap& matches);
  void take_first(const SegmentFields& fields, const FirstWanted& wanted,
                  const MatchBitmap& matches, SegmentFindings& findings);
  std::vector<FirstDocument> found_first(const FirstWanted& wanted);
  const std::uint32_t* send_bins(const SegmentFields& fields, std::vector<std::size_t>& begins);
  void fetch_matches(const MatchBitmap& matches);
  DocumentBitmap bitmap(std::uint32_t documents) const;
  void wait();

  cudaStream_t stream_;
  Jobs<CodeCounter> counters_;
  Jobs<CodeSummer> summers_;
  Jobs<BinCounter> binners_;
  LargestKeys first_;
  std::optional<RowOrder> rows_;  ///< of the first documents, if they are not ordered by one code
  bool first_started_ = false;
  std::size_t used_sums_ = 0;
  ColumnReasons reasons_;        ///< why something was not queued
  Arena arena_;                  ///< of the bins
  BudgetArray<FieldSums> sums_;  ///< [0]: only the number of matches; then one a request
  codecs::cuda::PinnedArray<FieldSums> host_sums_;
  codecs::cuda::PinnedArray<std::uint64_t> host_words_;
};

}  // namespace gannet::query::cuda
