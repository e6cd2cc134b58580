#include "index/inversion/id_set.hpp"

#include <xxhash.h>

#include <algorithm>
#include <limits>

#include "index/text/words/seeded_hash.hpp"

namespace gannet::index {
namespace {

constexpr Docid kFree = std::numeric_limits<Docid>::max();
constexpr std::size_t kFirstSlots = 16;

}  // namespace

IdSet::IdSet() {
  for (Shard& shard : shards_) shard.slots.assign(kFirstSlots, {0, 0, kFree});
  memory_ = kShards * kFirstSlots * sizeof(Slot);
}

IdSet::Hash IdSet::hash_of(std::string_view id) {
  const XXH128_hash_t hash = XXH3_128bits_withSeed(id.data(), id.size(), hash_seed());
  return {hash.low64, static_cast<std::uint32_t>(hash.high64)};
}

std::optional<Docid> IdSet::insert(Hash hash, Docid docid) {
  Shard& shard = shards_[hash.low % kShards];
  if ((shard.used + 1) * 4 > shard.slots.size() * 3) grow(shard);
  Slot& slot = shard.slots[place_of(shard, hash)];
  if (slot.docid != kFree) return slot.docid;
  slot = {hash.low, hash.high, docid};
  ++shard.used;
  return std::nullopt;
}

void IdSet::assign(Hash hash, Docid docid) {
  Shard& shard = shards_[hash.low % kShards];
  shard.slots[place_of(shard, hash)].docid = docid;
}

std::optional<Docid> IdSet::find(Hash hash) const {
  const Shard& shard = shards_[hash.low % kShards];
  const Slot& slot = shard.slots[place_of(shard, hash)];
  return slot.docid == kFree ? std::nullopt : std::optional(slot.docid);
}

std::size_t IdSet::longest_run() const {
  std::size_t longest = 0;
  for (const Shard& shard : shards_) {
    std::size_t run = 0;
    for (const Slot& slot : shard.slots) {
      run = slot.docid == kFree ? 0 : run + 1;
      longest = std::max(longest, run);
    }
  }
  return longest;
}

std::size_t IdSet::place_of(const Shard& shard, Hash hash) {
  std::size_t i = home_of(hash.low, shard.slots.size());
  for (; shard.slots[i].docid != kFree; i = i + 1 == shard.slots.size() ? 0 : i + 1) {
    const Slot& slot = shard.slots[i];
    if (slot.low == hash.low && slot.high == hash.high) break;
  }
  return i;
}

void IdSet::grow(Shard& shard) {
  const std::size_t size = shard.slots.size() + shard.slots.size() / 2;
  std::vector<Slot> larger(size, {0, 0, kFree});
  for (const Slot& slot : shard.slots) {
    if (slot.docid == kFree) continue;
    std::size_t i = home_of(slot.low, size);
    while (larger[i].docid != kFree) i = i + 1 == size ? 0 : i + 1;
    larger[i] = slot;
  }
  memory_ += (size - shard.slots.size()) * sizeof(Slot);
  shard.slots = std::move(larger);
}

}  // namespace gannet::index
