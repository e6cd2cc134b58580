// The filters of a batch's plans, taken from the cache as seldom as can be.
#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "query/filter/filter_cache.hpp"
#include "query/filter/filter_probe.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// When filters are looked up for single documents.
struct CandidateFilters {
  PackedColumns& columns;
  double least_share;  ///< CpuOptions::candidate_filters
};

/// Plans of a batch mostly have one filter, or each its own. With sixteen threads, asking the cache
/// for each plan took longer than short queries do: its lock, and the counts of references that all
/// threads change. So each thread keeps the filter that it used last, and what is looked up when a
/// batch is prepared is found again without the cache when it is searched. Only those bitmaps stay
/// in use: the others may make room.
class BatchFilters {
 public:
  /// `candidates`: how filters without a bitmap are looked up.
  BatchFilters(FilterCache& cache, const CandidateFilters& candidates, std::size_t plans,
               std::size_t segments);

  /// Looks up plan number `plan`'s filter, by one thread for each plan, before anything calls
  /// find() for it. It stays until the calling thread asks for another filter's.
  FilterBitmap& look_up(std::size_t plan, std::size_t segment, const Filter& filter);

  /// The bitmap of plan number `plan`'s filter. Any number of threads may call it. It stays until
  /// the calling thread asks for another filter's.
  FilterBitmap& find(std::size_t plan, std::size_t segment, const Filter& filter);

  /// Of any filter, from the cache each time. Throws what FilterCache::of() throws, as the others
  /// do.
  std::shared_ptr<FilterBitmap> of(std::size_t segment, const Filter& filter) {
    return cache_.of(segment, filter);
  }

  /// The filter for single documents, if a search should have that instead of its bitmap.
  /// `by_bounds`: it is one by bounds, which wants so many documents to pass that few ranges have
  /// none. `bitmap` must outlive it. `begins`: the search counts now; its other pieces do not.
  std::optional<FilterProbe> probe(FilterBitmap& bitmap, bool by_bounds, bool begins) const;

  /// Whether a filter has had so few searches that it may do without a bitmap.
  bool may_probe(const FilterBitmap& bitmap) const;

 private:
  /// The filter that a thread used last, by segment; null where it has not asked.
  struct Last {
    Filter filter = {};
    std::vector<std::shared_ptr<FilterBitmap>> bitmaps = {};
  };
  std::shared_ptr<FilterBitmap>& last(std::size_t segment, const Filter& filter);

  FilterCache& cache_;
  const CandidateFilters& candidates_;
  std::size_t segments_;
  /// By plan and segment; of plans with the same filter one after the other, the first one's.
  std::vector<std::weak_ptr<FilterBitmap>> known_;
  tbb::enumerable_thread_specific<Last> last_;
};

}  // namespace gannet::query
