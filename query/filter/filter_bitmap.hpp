// The documents of a segment that pass a filter, found out once, by whoever needs them.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stop_token>

#include "codecs/base/threads/once.hpp"
#include "query/filter/document_bitmap.hpp"
#include "query/filter/segment_filter.hpp"

namespace gannet::query {

/// A filter in a segment. Any number of threads may call all of it; those that call bitmap() at the
/// same time share the work, each takes chunks that no other has. The segment must outlive it.
class FilterBitmap {
 public:
  FilterBitmap(SegmentFilter filter, std::uint32_t documents);

  // What is known without looking at columns:
  bool none() const { return filter_.kind == SegmentFilter::Kind::kNone; }
  bool all() const { return filter_.kind == SegmentFilter::Kind::kAll; }
  std::uint64_t estimated() const { return estimated_; }
  std::uint32_t documents() const { return documents_; }
  /// That it takes once it is made.
  std::uint64_t bytes() const;

  /// Makes what is missing of it and waits for what others make. Throws FormatError for a damaged
  /// column, to all of them, and CancelledError; after that one others go on.
  const DocumentBitmap& bitmap(const std::stop_token& stop);
  /// How many documents pass. Needs a bitmap() that returned.
  std::uint64_t passing() const { return passing_.load(std::memory_order_relaxed); }
  /// A column is damaged.
  bool failed() const { return failed_.load(std::memory_order_acquire); }
  /// Whether the bitmap is there.
  bool made() const { return done_.load(std::memory_order_acquire) == chunks_; }
  const SegmentFilter& filter() const { return filter_; }
  /// share_of_open_blocks().
  double open_blocks_share() const { return open_blocks_share_; }
  /// Counts a search; returns how many were counted.
  std::uint64_t count_search() { return searches_.fetch_add(1, std::memory_order_relaxed) + 1; }
  std::uint64_t searches() const { return searches_.load(std::memory_order_relaxed); }
  std::uint64_t blocks_decoded() const { return blocks_.load(std::memory_order_relaxed); }

 private:
  void make_chunk(std::uint32_t chunk);
  void keep_error();
  void wait();

  SegmentFilter filter_;
  std::uint32_t documents_;
  std::uint32_t chunks_;
  std::uint64_t estimated_;
  double open_blocks_share_;
  std::atomic<std::uint64_t> searches_{0};
  Once room_;
  DocumentBitmap bitmap_;
  std::atomic<std::uint32_t> next_{0};  ///< chunk that nobody has taken
  std::atomic<std::uint32_t> done_{0};  ///< chunks
  std::atomic<std::uint64_t> passing_{0};
  std::atomic<std::uint64_t> blocks_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::condition_variable all_done_;
  std::exception_ptr error_;
};

}  // namespace gannet::query
