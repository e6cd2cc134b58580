#include "query/cpu/batch_filters.hpp"

namespace gannet::query {

namespace {

/// Searches of a filter, of this batch and of those before it, from which on it gets a bitmap.
constexpr std::uint64_t kManySearches = 16;

}  // namespace

BatchFilters::BatchFilters(FilterCache& cache, const CandidateFilters& candidates,
                           std::size_t plans, std::size_t segments)
    : cache_(cache), candidates_(candidates), segments_(segments), known_(plans * segments) {}

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

std::optional<FilterProbe> BatchFilters::probe(FilterBitmap& bitmap, bool by_bounds,
                                               bool begins) const {
  const double least_share = by_bounds ? candidates_.least_share : 0;
  const bool wanted = !bitmap.made() && !bitmap.none() &&
                      bitmap.open_blocks_share() >= least_share &&
                      (begins ? bitmap.count_search() : bitmap.searches()) < kManySearches;
  if (!wanted) return std::nullopt;
  return FilterProbe::make(bitmap.filter(), candidates_.columns);
}

bool BatchFilters::may_probe(const FilterBitmap& bitmap) const {
  return candidates_.least_share <= 1 && !bitmap.made() && !bitmap.none() &&
         bitmap.searches() + 1 < kManySearches;
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
