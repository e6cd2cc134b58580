#include "index/text/words/token_cache.hpp"

#include <algorithm>

#include "index/text/words/seeded_hash.hpp"

namespace gannet::index {
namespace {

constexpr std::size_t kFirstCacheSlots = 1024;

}  // namespace

TokenCache::TokenCache(std::uint64_t memory)
    : seed_(hash_seed()),
      memory_(std::max<std::uint64_t>(memory, 2 * kFirstCacheSlots * sizeof(Slot))) {
  clear();
}

void TokenCache::clear() {
  slots_ = std::vector<Slot>(kFirstCacheSlots);
  mask_ = slots_.size() - 1;
  used_ = 0;
  long_tokens_ = {};
}

TokenCache::Slot& TokenCache::insert(std::string_view token) {
  make_room(token.size() > kShort ? token.size() : 0);
  const Key key = key_of(token);
  Slot& slot = free_slot(key.hash);
  slot = {key.first, key.second, static_cast<std::uint32_t>(token.size()), 0, 0, 0};
  if (token.size() > kShort) {
    slot.second = long_tokens_.size();
    long_tokens_.insert(long_tokens_.end(), token.begin(), token.end());
  }
  ++used_;
  return slot;
}

TokenCache::Key TokenCache::long_key(std::string_view token) const {
  const std::uint64_t hash = seeded_hash(token);
  return {hash, 0, hash};
}

std::size_t TokenCache::longest_run() const {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const Slot& slot : slots_) {
    run = slot.length == 0 ? 0 : run + 1;
    longest = std::max(longest, run);
  }
  return longest;
}

TokenCache::Slot& TokenCache::free_slot(std::uint64_t hash) {
  std::size_t i = hash & mask_;
  while (slots_[i].length != 0) i = (i + 1) & mask_;
  return slots_[i];
}

void TokenCache::make_room(std::size_t token_bytes) {
  const bool crowded = (used_ + 1) * 3 > slots_.size() * 2;
  const std::size_t slots = crowded ? slots_.size() * 2 : slots_.size();
  // While a table grows, the old one and the new one are there.
  const std::size_t tables = (slots + (crowded ? slots_.size() : 0)) * sizeof(Slot);
  if (tables + 2 * (long_tokens_.size() + token_bytes) > memory_) {
    clear();
  } else if (crowded) {
    grow();
  }
}

void TokenCache::grow() {
  std::vector<Slot> old = std::move(slots_);
  slots_ = std::vector<Slot>(old.size() * 2);
  mask_ = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.length == 0) continue;
    const bool is_short = slot.length <= kShort;
    free_slot(is_short ? mix(slot.first, slot.second, slot.length) : slot.first) = slot;
  }
}

}  // namespace gannet::index
