#include "query/filter/filter_cache.hpp"

#include <utility>

namespace gannet::query {

FilterCache::FilterCache(std::shared_ptr<const index::Index> index, std::uint64_t bytes)
    : index_(std::move(index)), room_(bytes) {}

/// Binding takes microseconds, so two threads that miss the same filter may both bind it; one of
/// the two is kept, and only that one finds documents.
std::shared_ptr<FilterBitmap> FilterCache::of(std::size_t segment, const Filter& filter) {
  const Key key{segment, filter};
  {
    const std::lock_guard lock(mutex_);
    if (auto known = find(key)) return known;
  }
  const index::Segment& place = *index_->segments()[segment];
  auto made =
      std::make_shared<FilterBitmap>(bind_filter(filter, index_->schema(), place),
                                     static_cast<std::uint32_t>(place.statistics().documents));
  const std::lock_guard lock(mutex_);
  if (auto known = find(key)) return known;
  entries_.push_front({key, made});
  known_.emplace(key, entries_.begin());
  bytes_ += made->bytes();
  ++misses_;
  make_room();
  return made;
}

std::shared_ptr<FilterBitmap> FilterCache::find(const Key& key) {
  const auto found = known_.find(key);
  if (found == known_.end()) return nullptr;
  const Entries::iterator entry = found->second;
  if (entry->bitmap->failed()) {  // the next one says again what is wrong
    erase(entry);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, entry);
  return entry->bitmap;
}

FilterCache::Entries::iterator FilterCache::erase(Entries::iterator entry) {
  bytes_ -= entry->bitmap->bytes();
  known_.erase(entry->key);
  return entries_.erase(entry);
}

/// An entry that nobody else holds cannot be taken meanwhile: only find() gives it out.
void FilterCache::make_room() {
  for (auto entry = entries_.end(); bytes_ > room_ && entry != entries_.begin();) {
    --entry;
    if (entry->bitmap.use_count() == 1) entry = erase(entry);
  }
}

void FilterCache::trim() {
  const std::lock_guard lock(mutex_);
  make_room();
}

std::uint64_t FilterCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::uint64_t FilterCache::misses() const {
  const std::lock_guard lock(mutex_);
  return misses_;
}

}  // namespace gannet::query
