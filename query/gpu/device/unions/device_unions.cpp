#include "query/gpu/device/unions/device_unions.hpp"

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

std::shared_ptr<const DeviceUnion> DeviceUnions::of(std::size_t segment,
                                                    const std::shared_ptr<const UnionList>& list) {
  index::TermId number = kNoTerm;
  {
    const std::lock_guard lock(mutex_);
    if (auto known = find_here(*list)) return known;
    number = next_number(segment);
  }
  const DeviceSegment& place = segments_[segment];
  auto made = std::make_shared<const DeviceUnion>(*place.segment, place.copy->view(), list, number);
  Unions gone;  // freed without the lock
  bool many_stale = false;
  {
    const std::lock_guard lock(mutex_);
    if (auto known = find_here(*list)) return known;  // another call has copied it meanwhile
    unions_.push_front(made);
    places_.emplace(list.get(), unions_.begin());
    bytes_ += made->bytes();
    if (bytes_ > room_) gone = throw_away(bytes_ - room_);
    many_stale = stale_bytes_ > room_;
    if (many_stale) stale_bytes_ = 0;
  }
  if (many_stale) list_stats_.clear();
  return made;
}

std::shared_ptr<const DeviceUnion> DeviceUnions::find(const UnionList& list) {
  const std::lock_guard lock(mutex_);
  return find_here(list);
}

/// The caller holds the lock.
std::shared_ptr<const DeviceUnion> DeviceUnions::find_here(const UnionList& list) {
  const auto found = places_.find(&list);
  if (found == places_.end()) return nullptr;
  unions_.splice(unions_.begin(), unions_, found->second);
  return unions_.front();
}

/// The caller holds the lock.
index::TermId DeviceUnions::next_number(std::size_t segment) {
  if (next_[segment] == kNoTerm) throw DeviceMemoryError("no numbers are left for unions");
  return next_[segment]++;
}

/// Takes out unions that are not in use, those that were asked for longest ago first, until `bytes`
/// bytes are left. The caller holds the lock.
DeviceUnions::Unions DeviceUnions::throw_away(std::uint64_t bytes) {
  Unions gone;
  std::uint64_t freed = 0;
  for (auto next = unions_.end(); next != unions_.begin() && freed < bytes;) {
    const auto one = std::prev(next);
    if (one->use_count() > 1) {
      next = one;
      continue;
    }
    freed += (*one)->bytes();
    bytes_ -= (*one)->bytes();
    stale_bytes_ += (*one)->bytes();
    places_.erase((*one)->list().get());
    gone.splice(gone.end(), unions_, one);
  }
  return gone;
}

bool DeviceUnions::give_back(std::uint64_t bytes) {
  Unions gone;
  const std::lock_guard lock(mutex_);
  gone = throw_away(bytes);
  return !gone.empty();
}

std::uint64_t DeviceUnions::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace gannet::query::cuda
