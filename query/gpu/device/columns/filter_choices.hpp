// How the filters of a call are evaluated.
#pragma once

#include <tbb/task_arena.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "query/filter/segment_filter.hpp"
#include "query/gpu/device/columns/device_filters.hpp"
#include "query/plan/term_binding.hpp"

namespace gannet::query::cuda {

/// A plan with a filter.
struct FilteredPlan {
  std::size_t plan;  ///< its number in the call
  bool by_bounds;    ///< it is searched by bounds, where steps can be evaluated on candidates
  bool as_first;     ///< its filter is that of the first plan of the call
};

/// One of the different filters of a call.
struct FilterChoice {
  const Filter* filter;
  std::uint64_t plans = 0;  ///< that have it
  bool by_bounds = true;    ///< all of them are searched by bounds
  /// Searches evaluate it for the documents that they look at. Otherwise it gets a bitmap.
  bool on_candidates = false;
  /// By segment; empty if all segments' bitmaps were known when the call began.
  std::vector<BoundFilter> bound = {};
};

/// A bitmap costs the same however many searches read it: a few microseconds for 25 M documents,
/// and room for all of them. Steps cost what the searches look at, and nothing is known of ranges
/// that no document passes. So a filter that few searches have is evaluated on candidates, unless
/// few documents pass in those column blocks that its codes leave open. Immutable.
class FilterChoices {
 public:
  /// Searches, of this call and of calls before it, from which on a filter gets a bitmap.
  static constexpr std::uint64_t kManySearches = 16;

  /// Binds the filters that have no bitmap yet, with the threads of the arena. `plans` must outlive
  /// the object. `least_share`: CudaOptions::candidate_filters. Throws UsageError for fields that
  /// the index does not have, CancelledError.
  FilterChoices(DeviceFilters& filters, const BoundPlans& plans,
                std::span<const FilteredPlan> filtered, double least_share, tbb::task_arena& arena,
                const std::stop_token& stop);

  /// That of a plan with a filter.
  const FilterChoice& of(std::size_t plan) const { return choices_[numbers_[plan]]; }
  /// By plan, the number of its filter, from 0 on, or kNoFilter.
  std::span<const std::uint32_t> numbers() const { return numbers_; }
  /// How many of them get bitmaps.
  std::size_t bitmaps() const;
  const FilterChoice& choice(std::size_t number) const { return choices_[number]; }
  std::size_t size() const { return choices_.size(); }

 private:
  void collect(const BoundPlans& plans, std::span<const FilteredPlan> filtered);
  static void choose(FilterChoice& choice, DeviceFilters& filters, double least_share);

  std::vector<FilterChoice> choices_;
  std::vector<std::uint32_t> numbers_;  ///< by plan
};

}  // namespace gannet::query::cuda
