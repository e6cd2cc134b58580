#include "query/cpu/batch_filters.hpp"

namespace gannet::query {

BatchFilters::BatchFilters(FilterCache& cache, std::size_t plans, std::size_t segments)
    : cache_(cache), segments_(segments), known_(plans * segments) {}

FilterBitmap& BatchFilters::look_up(std::size_t plan, std::size_t segment, const Filter& filter) {
  std::shared_ptr<FilterBitmap>& bitmap = last(segment, filter);
  if (bitmap == nullptr) {
    bitmap = cache_.of(segment, filter);
    known_[plan * segments_ + segment] = bitmap;
  }
  return *bitmap;
}

FilterBitmap& BatchFilters::find(std::size_t plan, std::size_t segment, const Filter& filter) {
  std::shared_ptr<FilterBitmap>& bitmap = last(segment, filter);
  if (bitmap == nullptr) bitmap = known_[plan * segments_ + segment].lock();
  if (bitmap == nullptr) bitmap = cache_.of(segment, filter);
  return *bitmap;
}

std::shared_ptr<FilterBitmap>& BatchFilters::last(std::size_t segment, const Filter& filter) {
  Last& last = last_.local();
  if (last.bitmaps.empty() || !(last.filter == filter)) {
    last.bitmaps.assign(segments_, nullptr);
    last.filter = filter;
  }
  return last.bitmaps[segment];
}

}  // namespace gannet::query
