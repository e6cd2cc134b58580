#include "query/gpu/device/list_counter.hpp"

#include <algorithm>

#include "codecs/core/tile.hpp"
#include "query/plan/making/plan_ranges.hpp"

namespace gannet::query::cuda {

ListCounter::ListCounter(std::span<const DeviceSegment> segments, const BoundPlans& plans,
                         PlanShare share, tbb::task_arena& threads)
    : segments_(segments), plans_(plans), share_(share), threads_(threads) {
  const bool split = std::ranges::any_of(
      segments_, [](const DeviceSegment& one) { return one.copy->split() != nullptr; });
  if (split || plans_.size() <= kPlansPerTask) {
    count(0, plans_.size());
    return;
  }
  threads_.execute([&] {
    group_.run([this] {
      for_plan_ranges(plans_.size(), kPlansPerTask,
                      [this](std::size_t first, std::size_t last) { count(first, last); });
    });
  });
}

void ListCounter::count(std::size_t first, std::size_t last) {
  std::uint64_t postings = 0;
  std::uint64_t tiles = 0;
  for (std::size_t s = 0; s < segments_.size(); ++s) {
    const DeviceIndex& copy = *segments_[s].copy;
    for (std::size_t i = first; i < last; ++i) {
      if (!share_.has(i)) continue;
      for (const index::TermId id : plans_.ids(i, s)) {
        if (id == kNoTerm) continue;
        const bool on_device = id < copy.lists().size();  // a union has no list there
        const std::uint32_t length =
            on_device ? copy.lists()[id].count : plans_.segment(i, s).document_frequency(id);
        postings += length;
        tiles += codecs::tile_count(length);
        if (on_device && copy.split() != nullptr) copy.split()->count_use(id);
      }
    }
  }
  postings_ += postings;
  tiles_ += tiles;
}

void ListCounter::wait() const {
  threads_.execute([&] { group_.wait(); });
}

void ListCounter::add_to(Report& report) const {
  wait();
  report.postings += postings_;
  report.tiles_total += tiles_;
}

}  // namespace gannet::query::cuda
