#include "query/gpu/device/unions/device_unions.hpp"

#include <algorithm>
#include <utility>

#include "codecs/base/error.hpp"

namespace gannet::query::cuda {

DeviceUnions::DeviceUnions(std::span<const DeviceSegment> segments, ListStatsCache& list_stats,
                           MemoryBudget& budget, std::uint64_t bytes)
    : segments_(segments),
      list_stats_(list_stats),
      room_(bytes),
      owner_(budget, MemoryUse::kColumns,
             [this](std::uint64_t wanted) { return give_back(wanted); }) {
  for (const DeviceSegment& segment : segments) {
    next_.push_back(static_cast<index::TermId>(segment.copy->lists().size()));
  }
}

bool DeviceUnions::Key::operator==(const Key& other) const {
  if (segment != other.segment) return false;
  return list == other.list || list->recipe() == other.list->recipe();
}

std::shared_ptr<const DeviceUnion> DeviceUnions::of(std::size_t segment,
                                                    const std::shared_ptr<const MadeList>& list) {
  index::TermId number = kNoTerm;
  {
    const std::lock_guard lock(mutex_);
    if (auto known = find_here({segment, list.get()})) return known;
    number = next_number(segment);
  }
  const DeviceSegment& place = segments_[segment];
  auto made = std::make_shared<const DeviceUnion>(*place.segment, place.copy->view(), list, number);
  Unions gone;  // freed without the lock
  bool many_stale = false;
  {
    const std::lock_guard lock(mutex_);
    // Another call may have copied it meanwhile.
    if (auto known = find_here({segment, list.get()})) return known;
    unions_.push_front({segment, made});
    places_.emplace(unions_.front().key(), unions_.begin());
    bytes_ += made->bytes();
    if (bytes_ > room_) gone = throw_away(bytes_ - room_, kPassed);
    many_stale = stale_bytes_ > room_;
    if (many_stale) stale_bytes_ = 0;
  }
  if (many_stale) list_stats_.clear();
  return made;
}

std::shared_ptr<const DeviceUnion> DeviceUnions::find(std::size_t segment, const MadeList& list) {
  const std::lock_guard lock(mutex_);
  return find_here({segment, &list});
}

/// The caller holds the lock.
std::shared_ptr<const DeviceUnion> DeviceUnions::find_here(const Key& key) {
  const auto found = places_.find(key);
  if (found == places_.end()) return nullptr;
  unions_.splice(unions_.begin(), unions_, found->second);
  return unions_.front().made;
}

/// The caller holds the lock.
index::TermId DeviceUnions::next_number(std::size_t segment) {
  if (next_[segment] == kNoTerm) throw DeviceMemoryError("no numbers are left for unions");
  return next_[segment]++;
}

/// Takes out unions that are not in use, those that were asked for longest ago first, of at least
/// `bytes` bytes; gives up after `passed` that are in use, which become the last ones used. The
/// caller holds the lock.
DeviceUnions::Unions DeviceUnions::throw_away(std::uint64_t bytes, std::size_t passed) {
  Unions gone;
  std::uint64_t freed = 0;
  while (freed < bytes && passed > 0 && !unions_.empty()) {
    const auto one = std::prev(unions_.end());
    if (one->made.use_count() > 1) {
      unions_.splice(unions_.begin(), unions_, one);
      --passed;
      continue;
    }
    const std::uint64_t its = one->made->bytes();
    freed += its;
    bytes_ -= its;
    stale_bytes_ += its;
    places_.erase(one->key());
    gone.splice(gone.end(), unions_, one);
  }
  return gone;
}

void DeviceUnions::trim() {
  Unions gone;  // freed without the lock
  const std::lock_guard lock(mutex_);
  if (bytes_ > room_) gone = throw_away(bytes_ - room_, unions_.size());
}

bool DeviceUnions::give_back(std::uint64_t bytes) {
  Unions gone;  // freed without the lock
  const std::lock_guard lock(mutex_);
  gone = throw_away(bytes, unions_.size());
  return !gone.empty();
}

std::uint64_t DeviceUnions::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace gannet::query::cuda
