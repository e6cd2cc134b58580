// From how many postings on lists get bounds, or bitmaps, by segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "index/index.hpp"
#include "query/bounds/dense_lists.hpp"

namespace gannet::query {

/// least_dense_count() of an index's segments, counted when it is first asked for. Thread-safe,
/// also for tasks of TBB: no lock is held while lists are counted, since a thread that waits there
/// for others may take up a task that wants the lock. Two threads may count the lists of one
/// segment then, and find the same.
class LeastCounts {
 public:
  /// `bits`, `bytes_of`: see least_dense_count().
  explicit LeastCounts(double bits, BytesOfList bytes_of = bytes_of_bounds)
      : bits_(bits), bytes_of_(bytes_of) {}

  /// Of segment number `number`, which is always the same one. Throws CancelledError.
  std::uint32_t of(std::size_t number, const index::Segment& segment, const std::stop_token& stop);

 private:
  const double bits_;
  const BytesOfList bytes_of_;
  std::mutex mutex_;
  std::vector<std::optional<std::uint32_t>> known_;  ///< grows with the numbers that are asked for
};

}  // namespace gannet::query
