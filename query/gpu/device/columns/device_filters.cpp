#include "query/gpu/device/columns/device_filters.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <utility>

namespace gannet::query::cuda {
namespace {

/// Makes the bitmap with all threads of the arena.
const DocumentBitmap& make_bitmap(FilterBitmap& bitmap, tbb::task_arena& arena,
                                  const std::stop_token& stop) {
  if (!bitmap.made()) {
    arena.execute([&] {
      const int threads = tbb::this_task_arena::max_concurrency();
      tbb::parallel_for(0, threads, [&](int) { bitmap.bitmap(stop); });
    });
  }
  return bitmap.bitmap(stop);
}

}  // namespace

DeviceFilters::DeviceFilters(std::shared_ptr<const index::Index> index, DeviceColumns& columns,
                             std::uint64_t bytes, MemoryBudget& budget)
    : columns_(columns),
      host_(std::move(index), 0),
      room_(bytes),
      owner_(budget, MemoryUse::kFilters,
             [this](std::uint64_t wanted) { return give_back(wanted); }) {}

std::shared_ptr<const DeviceFilter> DeviceFilters::of(std::size_t segment, const Filter& filter,
                                                      tbb::task_arena& arena,
                                                      const std::stop_token& stop) {
  const FilterKey key{segment, filter};
  {
    const std::lock_guard lock(mutex_);
    if (auto known = table_.find(key)) return known;
  }
  return keep(key, make(key, arena, stop));
}

std::shared_ptr<const DeviceFilter> DeviceFilters::keep(const FilterKey& key,
                                                        std::shared_ptr<const DeviceFilter> made) {
  std::vector<std::shared_ptr<const DeviceFilter>> gone;  // freed without the lock
  const std::lock_guard lock(mutex_);
  // Another call may have made it meanwhile.
  if (auto known = table_.find(key)) return known;
  table_.insert(key, made);
  ++made_;
  gone = table_.trim(room_);
  return made;
}

std::shared_ptr<const DeviceFilter> DeviceFilters::make(const FilterKey& key,
                                                        tbb::task_arena& arena,
                                                        const std::stop_token& stop) {
  try {
    if (auto made = columns_.make_filter(key.segment, key.filter, arena, stop)) return made;
  } catch (const DeviceMemoryError&) {
    // The host needs less: the bitmap alone goes to the device.
  }
  const std::shared_ptr<FilterBitmap> bitmap = host_.of(key.segment, key.filter);
  const DocumentBitmap& documents = make_bitmap(*bitmap, arena, stop);
  auto made =
      std::make_shared<const DeviceFilter>(documents, bitmap->passing(), bitmap->estimated());
  return made;
}

void DeviceFilters::trim() {
  host_.trim();  // its bitmaps are on the device
  std::vector<std::shared_ptr<const DeviceFilter>> gone;
  const std::lock_guard lock(mutex_);
  gone = table_.trim(room_);
}

bool DeviceFilters::give_back(std::uint64_t bytes) {
  std::vector<std::shared_ptr<const DeviceFilter>> gone;
  const std::lock_guard lock(mutex_);
  gone = table_.trim(table_.bytes() - std::min(table_.bytes(), bytes));
  return !gone.empty();
}

std::uint64_t DeviceFilters::bytes() const {
  const std::lock_guard lock(mutex_);
  return table_.bytes();
}

std::uint64_t DeviceFilters::made() const {
  const std::lock_guard lock(mutex_);
  return made_;
}

CallFilters::CallFilters(DeviceFilters& filters, const BoundPlans& plans,
                         std::span<const std::size_t> filtered, std::size_t segments,
                         tbb::task_arena& arena, const std::stop_token& stop) {
  if (filtered.empty()) return;
  by_segment_.assign(segments, std::vector<std::shared_ptr<const DeviceFilter>>(plans.size()));
  for (std::size_t s = 0; s < segments; ++s) {
    const Filter* last = nullptr;  // plans of a batch mostly share one
    std::shared_ptr<const DeviceFilter> bitmap;
    for (const std::size_t i : filtered) {
      const Filter& filter = plans.plan(i).filter();
      if (last == nullptr || !(*last == filter)) bitmap = filters.of(s, filter, arena, stop);
      last = &filter;
      by_segment_[s][i] = bitmap;
    }
  }
}

}  // namespace gannet::query::cuda
