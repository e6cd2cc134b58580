#include "query/postings/union_cache.hpp"

#include <iterator>
#include <utility>

namespace gannet::query {

std::size_t UnionCache::Hash::operator()(const Key& key) const {
  return key.recipe.hash() ^ std::hash<const void*>()(key.segment);
}

/// The key is there twice besides, and tables have some pointers for each.
std::size_t UnionCache::Entry::bytes() const {
  return list->bytes() + 2 * key.recipe.bytes() + 256;
}

std::shared_ptr<const MadeList> UnionCache::of(const std::shared_ptr<const index::Segment>& segment,
                                               ListRecipe recipe, std::uint32_t text) {
  Key key{segment.get(), std::move(recipe)};
  {
    const std::lock_guard lock(mutex_);
    if (auto known = find(segment, key)) return known;
  }
  auto made = std::make_shared<const MadeList>(*segment, key.recipe, text);
  const std::lock_guard lock(mutex_);
  if (auto known = find(segment, key)) return known;
  entries_.push_front({key, segment, made});
  places_.emplace(std::move(key), entries_.begin());
  bytes_ += entries_.front().bytes();
  while (bytes_ > limit_) erase(std::prev(entries_.end()));
  return made;
}

std::shared_ptr<const MadeList> UnionCache::find(
    const std::shared_ptr<const index::Segment>& segment, const Key& key) {
  const auto found = places_.find(key);
  if (found == places_.end()) return nullptr;
  const auto entry = found->second;
  if (entry->segment.owner_before(segment) || segment.owner_before(entry->segment)) {
    erase(entry);
    return nullptr;
  }
  entries_.splice(entries_.begin(), entries_, entry);
  return entry->list;
}

void UnionCache::erase(Entries::iterator entry) {
  bytes_ -= entry->bytes();
  places_.erase(entry->key);
  entries_.erase(entry);
}

std::size_t UnionCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

UnionCache& union_cache() {
  static UnionCache& cache = *new UnionCache;
  return cache;
}

}  // namespace gannet::query
