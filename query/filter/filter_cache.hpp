// Bitmaps of filters, shared by the queries of a batch and kept for the next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "index/index.hpp"
#include "query/filter/filter_bitmap.hpp"
#include "query/filter/filter_table.hpp"

namespace gannet::query {

/// What an index's filters let pass, by segment and filter. Beyond `bytes`, those that were not
/// used for the longest time are thrown away, but none that somebody uses; one that is only
/// remembered by a weak pointer may go while that is followed, and is made anew for the next. Any
/// number of threads may use it.
class FilterCache {
 public:
  FilterCache(std::shared_ptr<const index::Index> index, std::uint64_t bytes);

  /// The documents of a segment that pass a filter: those that are known, or new ones, to be found
  /// out when they are first asked for. Throws UsageError for a filter with fields or values that
  /// the index has not.
  std::shared_ptr<FilterBitmap> of(std::size_t segment, const Filter& filter);

  /// Throws away what there is no room for and nobody uses any more.
  void trim();

  /// What those that are kept take.
  std::uint64_t bytes() const;
  /// Filters of segments that were bound since it was made.
  std::uint64_t misses() const;

 private:
  std::shared_ptr<FilterBitmap> find(const FilterKey& key);

  std::shared_ptr<const index::Index> index_;
  std::uint64_t room_;
  mutable std::mutex mutex_;
  FilterTable<FilterBitmap> table_;
  std::uint64_t misses_ = 0;
};

}  // namespace gannet::query
