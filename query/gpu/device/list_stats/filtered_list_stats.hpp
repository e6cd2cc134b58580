// Statistics of lists among the documents that pass a filter, for filters that many searches
// have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "query/gpu/device/list_stats/list_stats_table.hpp"

namespace gannet::query::cuda {

/// The tables of one segment and scorer, by filter. With bounds of all documents, a search with a
/// selective filter is slow: its threshold rises late, since the best documents that pass are worse
/// than the best of all, and it searches ranges for documents that do not pass. Bounds of what
/// passes avoid both, but making them decodes the lists. So they are made for filters that come
/// again. Thread-safe.
class FilteredListStats {
 public:
  /// Filters that have tables of their own, and filters whose searches are counted. A new one
  /// replaces the one that was used longest ago.
  static constexpr std::size_t kFilters = 4;
  static constexpr std::size_t kCounted = 64;
  /// A filter gets a table if at most this percentage of the documents passes it, and at least one
  /// in kMaxRatio. With more, bounds differ little from those of all documents; with fewer, there
  /// is little to search. (Deleted documents are filtered too.)
  static constexpr std::uint64_t kMaxPercent = 75;
  static constexpr std::uint64_t kMaxRatio = 4096;

  /// `least_searches`: searches that a filter must have had to get a table; 0: it never gets one.
  /// `all`: the statistics among all documents, which must outlive this object.
  FilteredListStats(ListStatsTable& all, std::uint64_t least_searches)
      : all_(all), least_searches_(least_searches) {}

  /// Counts `searches` searches with a filter, and returns its table; null if they are to use the
  /// statistics of all documents.
  std::shared_ptr<ListStatsTable> of(const std::shared_ptr<const DeviceFilter>& filter,
                                     std::uint64_t searches);

  /// Removes the table that was used longest ago of those that no search uses, and returns it; null
  /// if there is none.
  std::shared_ptr<ListStatsTable> give_back();

  /// Device memory of the tables' bounds.
  std::uint64_t bytes() const;

 private:
  struct Entry {
    std::weak_ptr<const DeviceFilter> filter;
    std::uint64_t searches = 0;
    std::shared_ptr<ListStatsTable> stats;
  };

  bool worth_it(const DeviceFilter& filter) const;
  Entry& entry_of(const std::shared_ptr<const DeviceFilter>& filter,
                  std::vector<std::shared_ptr<ListStatsTable>>& gone);
  void make_room(std::vector<std::shared_ptr<ListStatsTable>>& gone);

  ListStatsTable& all_;
  const std::uint64_t least_searches_;
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  ///< the last one used first
};

}  // namespace gannet::query::cuda
