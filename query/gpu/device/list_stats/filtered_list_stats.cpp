#include "query/gpu/device/list_stats/filtered_list_stats.hpp"

#include <algorithm>
#include <utility>

namespace gannet::query::cuda {
namespace {

bool is_of(const std::weak_ptr<const DeviceFilter>& entry,
           const std::shared_ptr<const DeviceFilter>& filter) {
  return !entry.owner_before(filter) && !filter.owner_before(entry);
}

}  // namespace

std::shared_ptr<ListStatsTable> FilteredListStats::of(
    const std::shared_ptr<const DeviceFilter>& filter, std::uint64_t searches) {
  if (!worth_it(*filter)) return nullptr;
  std::vector<std::shared_ptr<ListStatsTable>> gone;  // freed without the lock
  const std::lock_guard lock(mutex_);
  Entry& entry = entry_of(filter, gone);
  entry.searches += searches;
  if (entry.stats == nullptr && entry.searches >= least_searches_) {
    make_room(gone);
    entry.stats = std::make_shared<ListStatsTable>(all_, filter);
  }
  return entry.stats;
}

bool FilteredListStats::worth_it(const DeviceFilter& filter) const {
  const std::uint64_t documents = all_.documents();
  return least_searches_ > 0 && filter.counted() &&
         100 * filter.passing() <= kMaxPercent * documents &&
         filter.passing() >= documents / kMaxRatio;
}

/// The filter's entry, moved to the front. A table that it replaces goes to `gone`.
FilteredListStats::Entry& FilteredListStats::entry_of(
    const std::shared_ptr<const DeviceFilter>& filter,
    std::vector<std::shared_ptr<ListStatsTable>>& gone) {
  const auto found = std::ranges::find_if(
      entries_, [&](const Entry& entry) { return is_of(entry.filter, filter); });
  if (found != entries_.end()) {
    std::rotate(entries_.begin(), found, found + 1);
    return entries_.front();
  }
  if (entries_.size() == kCounted) {
    gone.push_back(std::move(entries_.back().stats));
    entries_.pop_back();
  }
  return *entries_.insert(entries_.begin(), Entry{filter, 0, nullptr});
}

/// Removes tables until there is room for one more. Searches under way hold a reference to theirs.
void FilteredListStats::make_room(std::vector<std::shared_ptr<ListStatsTable>>& gone) {
  std::size_t kept = 0;
  for (Entry& entry : entries_) {
    if (entry.stats == nullptr || ++kept < kFilters) continue;
    gone.push_back(std::move(entry.stats));
    entry.stats = nullptr;
    entry.searches = 0;
  }
}

std::shared_ptr<ListStatsTable> FilteredListStats::give_back() {
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (entry->stats == nullptr || entry->stats.use_count() > 1) continue;
    entry->searches = 0;
    return std::exchange(entry->stats, nullptr);
  }
  return nullptr;
}

std::uint64_t FilteredListStats::bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t bytes = 0;
  for (const Entry& entry : entries_) {
    if (entry.stats != nullptr) bytes += entry.stats->bytes();
  }
  return bytes;
}

}  // namespace gannet::query::cuda
