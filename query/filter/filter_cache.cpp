#include "query/filter/filter_cache.hpp"

#include <utility>
#include <vector>

namespace gannet::query {

FilterCache::FilterCache(std::shared_ptr<const index::Index> index, std::uint64_t bytes)
    : index_(std::move(index)), room_(bytes) {}

/// Binding takes microseconds, so two threads that miss the same filter may both bind it; one of
/// the two is kept, and only that one finds documents.
std::shared_ptr<FilterBitmap> FilterCache::of(std::size_t segment, const Filter& filter) {
  const FilterKey key{segment, filter};
  {
    const std::lock_guard lock(mutex_);
    if (auto known = find(key)) return known;
  }
  const index::Segment& place = *index_->segments()[segment];
  auto made =
      std::make_shared<FilterBitmap>(bind_filter(filter, *index_, segment),
                                     static_cast<std::uint32_t>(place.statistics().documents));
  std::vector<std::shared_ptr<FilterBitmap>> gone;  // freed without the lock
  const std::lock_guard lock(mutex_);
  if (auto known = find(key)) return known;
  table_.insert(key, made);
  ++misses_;
  gone = table_.trim(room_);
  return made;
}

std::shared_ptr<FilterBitmap> FilterCache::find(const FilterKey& key) {
  auto known = table_.find(key);
  if (known == nullptr || !known->failed()) return known;
  table_.erase(key);  // the next one says again what is wrong
  return nullptr;
}

void FilterCache::trim() {
  std::vector<std::shared_ptr<FilterBitmap>> gone;  // freed without the lock
  const std::lock_guard lock(mutex_);
  gone = table_.trim(room_);
}

std::uint64_t FilterCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return table_.bytes();
}

std::uint64_t FilterCache::misses() const {
  const std::lock_guard lock(mutex_);
  return misses_;
}

}  // namespace gannet::query
