#include "query/gpu/device/list_stats/filtered_knowledge.hpp"

#include <algorithm>
#include <utility>

namespace gannet::query::cuda {
namespace {

bool is_of(const std::weak_ptr<const DeviceFilter>& known,
           const std::shared_ptr<const DeviceFilter>& filter) {
  return !known.owner_before(filter) && !filter.owner_before(known);
}

}  // namespace

std::shared_ptr<ListKnowledge> FilteredKnowledge::of(
    const std::shared_ptr<const DeviceFilter>& filter, std::uint64_t searches) {
  if (!worth_it(*filter)) return nullptr;
  std::vector<std::shared_ptr<ListKnowledge>> gone;  // freed without the lock
  const std::lock_guard lock(mutex_);
  Entry& entry = entry_of(filter, gone);
  entry.searches += searches;
  if (entry.knowledge == nullptr && entry.searches >= least_searches_) {
    make_room(gone);
    entry.knowledge = std::make_shared<ListKnowledge>(all_, filter);
  }
  return entry.knowledge;
}

bool FilteredKnowledge::worth_it(const DeviceFilter& filter) const {
  const std::uint64_t documents = all_.documents();
  return least_searches_ > 0 && 100 * filter.passing() <= kMaxPercent * documents &&
         filter.passing() >= documents / kMaxRatio;
}

/// The filter's entry, at the front. What makes room for it goes to `gone`.
FilteredKnowledge::Entry& FilteredKnowledge::entry_of(
    const std::shared_ptr<const DeviceFilter>& filter,
    std::vector<std::shared_ptr<ListKnowledge>>& gone) {
  const auto found = std::ranges::find_if(
      entries_, [&](const Entry& entry) { return is_of(entry.filter, filter); });
  if (found != entries_.end()) {
    std::rotate(entries_.begin(), found, found + 1);
    return entries_.front();
  }
  if (entries_.size() == kCounted) {
    gone.push_back(std::move(entries_.back().knowledge));
    entries_.pop_back();
  }
  return *entries_.insert(entries_.begin(), Entry{filter, 0, nullptr});
}

/// For one filter's bounds more. Searches that are under way keep what they use.
void FilteredKnowledge::make_room(std::vector<std::shared_ptr<ListKnowledge>>& gone) {
  std::size_t kept = 0;
  for (Entry& entry : entries_) {
    if (entry.knowledge == nullptr || ++kept < kFilters) continue;
    gone.push_back(std::move(entry.knowledge));
    entry.knowledge = nullptr;
    entry.searches = 0;
  }
}

std::shared_ptr<ListKnowledge> FilteredKnowledge::give_back() {
  const std::lock_guard lock(mutex_);
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (entry->knowledge == nullptr || entry->knowledge.use_count() > 1) continue;
    entry->searches = 0;
    return std::exchange(entry->knowledge, nullptr);
  }
  return nullptr;
}

std::uint64_t FilteredKnowledge::bytes() const {
  const std::lock_guard lock(mutex_);
  std::uint64_t bytes = 0;
  for (const Entry& entry : entries_) {
    if (entry.knowledge != nullptr) bytes += entry.knowledge->bytes();
  }
  return bytes;
}

}  // namespace gannet::query::cuda
