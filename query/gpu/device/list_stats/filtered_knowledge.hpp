// What the pruned search knows of lists among the documents that pass a filter, for filters that
// many searches have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "query/gpu/device/list_stats/list_knowledge.hpp"

namespace gannet::query::cuda {

/// For one segment and scorer. With the bounds of all documents a selective filter lets the
/// threshold rise late, since the best of what passes are worse than the best of all, and lets
/// ranges be searched for documents that do not pass. Bounds of what passes mend both, but cost
/// the decoding of the lists: so they are made for filters that come again. Thread-safe.
class FilteredKnowledge {
 public:
  /// As many filters have bounds of their own, and as many are counted; those that were used
  /// longest ago make room.
  static constexpr std::size_t kFilters = 4;
  static constexpr std::size_t kCounted = 64;
  /// Bounds are made where at most this percentage of the documents passes, and at least one in
  /// kMaxRatio: else they differ little from those of all, or there is little to be searched
  /// anyway. (Deleted documents are filtered too.)
  static constexpr std::uint64_t kMaxPercent = 75;
  static constexpr std::uint64_t kMaxRatio = 4096;

  /// `least_searches`: that a filter must have had; 0: there are never bounds of what passes.
  /// `all` must outlive it.
  FilteredKnowledge(ListKnowledge& all, std::uint64_t least_searches)
      : all_(all), least_searches_(least_searches) {}

  /// What is known among the documents that pass a filter, which `searches` searches are about to
  /// use; null if what is known of all documents is to be used.
  std::shared_ptr<ListKnowledge> of(const std::shared_ptr<const DeviceFilter>& filter,
                                    std::uint64_t searches);

  /// Takes the bounds of the filter that was used longest ago out, if no search uses them; null if
  /// there are none such.
  std::shared_ptr<ListKnowledge> give_back();

  std::uint64_t bytes() const;

 private:
  struct Entry {
    std::weak_ptr<const DeviceFilter> filter;
    std::uint64_t searches = 0;
    std::shared_ptr<ListKnowledge> knowledge;
  };

  bool worth_it(const DeviceFilter& filter) const;
  Entry& entry_of(const std::shared_ptr<const DeviceFilter>& filter,
                  std::vector<std::shared_ptr<ListKnowledge>>& gone);
  void make_room(std::vector<std::shared_ptr<ListKnowledge>>& gone);

  ListKnowledge& all_;
  const std::uint64_t least_searches_;
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  ///< the last one used first
};

}  // namespace gannet::query::cuda
