#include "tests/support/simt/races/knowledge.hpp"

#include <algorithm>

namespace gannet::simt {
namespace {

template <class Times>
void learn(Times& mine, const Times& other) {
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = std::max(mine[i], other[i]);
}

}  // namespace

void Knowledge::begin(std::uint32_t threads) {
  threads_.resize(std::max<std::size_t>(threads_.size(), threads));
  published_.clear();
  learned_ = false;
  sync_block();
}

bool Knowledge::has_seen(std::uint32_t thread, const Access& access) const {
  const Thread& self = threads_[thread];
  const std::uint32_t warp = access.thread / kWarp;
  if (access.time <= self.warps[warp]) return true;
  return warp == thread / kWarp && access.time <= self.seen[access.thread % kWarp];
}

bool Knowledge::knows_read(std::uint32_t thread, const Access& read) const {
  if (knows(thread, read)) return true;
  return read.thread / kWarp == thread / kWarp &&
         read.time <= threads_[thread].met[read.thread % kWarp];
}

void Knowledge::meet(std::uint32_t warp, std::uint32_t lanes, bool ordering) {
  Thread* const first = threads_.data() + warp * kWarp;
  const Time now = std::max(time_, epoch_);
  std::array<Time, kWarp> seen{};
  Warps warps{};
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    if (ordering) learn(seen, first[lane].seen);
    if (ordering && learned_) learn(warps, first[lane].warps);
  }
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    if ((lanes >> lane & 1) != 0) seen[lane] = now;
  }
  ++time_;
  for (std::uint32_t lane = 0; lane < kWarp; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    Thread& self = first[lane];
    self.clock = time_;
    for (std::uint32_t other = 0; other < kWarp; ++other) {
      if ((lanes >> other & 1) != 0) self.met[other] = now;
    }
    if (!ordering) continue;
    self.seen = seen;
    if (learned_) self.warps = warps;
  }
}

void Knowledge::fence(std::uint32_t thread) {
  threads_[thread].fence = std::max(time_, epoch_);
  threads_[thread].clock = ++time_;
}

void Knowledge::release(std::uint32_t thread, std::uintptr_t address) {
  Thread& self = threads_[thread];
  if (self.fence < epoch_) return;
  Warps& published = published_[address];
  learn(published, self.warps);
  Time& own = published[thread / kWarp];
  own = std::max(own, self.fence);
}

void Knowledge::acquire(std::uint32_t thread, std::uintptr_t address) {
  const auto found = published_.find(address);
  if (found == published_.end()) return;
  learn(threads_[thread].warps, found->second);
  learned_ = true;
}

}  // namespace gannet::simt
