#include "query/gpu/device/columns/filter_choices.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "codecs/base/cancellation.hpp"
#include "query/filter/filter_estimates.hpp"
#include "query/filter/filter_hash.hpp"
#include "query/gpu/device/columns/device_field.hpp"

namespace gannet::query::cuda {
namespace {

using Kind = SegmentFilter::Kind;

/// Filters that are bound without other threads: entering the arena takes longer.
constexpr std::size_t kFewFilters = 4;

/// Whether steps can be evaluated on the device as far as the host knows.
bool has_steps(const SegmentFilter& filter) {
  if (filter.kind == Kind::kCodes) return DeviceField::fits(*filter.column);
  if (filter.kind == Kind::kLive) return filter.own == nullptr;
  return std::ranges::all_of(filter.parts, has_steps);
}

}  // namespace

FilterChoices::FilterChoices(DeviceFilters& filters, const BoundPlans& plans,
                             std::span<const FilteredPlan> filtered, double least_share,
                             tbb::task_arena& arena, const std::stop_token& stop)
    : numbers_(plans.size(), kNoFilter) {
  collect(plans, filtered);
  const auto choose_one = [&](std::size_t i) {
    const StopScope scope(stop);
    throw_if_stopped(stop);
    choose(choices_[i], filters, least_share);
  };
  if (choices_.size() <= kFewFilters) {
    for (std::size_t i = 0; i < choices_.size(); ++i) choose_one(i);
  } else {
    arena.execute([&] { tbb::parallel_for(std::size_t{0}, choices_.size(), choose_one); });
  }
}

void FilterChoices::collect(const BoundPlans& plans, std::span<const FilteredPlan> filtered) {
  std::unordered_map<const Filter*, std::uint32_t, FilterHash, EqualFilters> numbers;
  std::optional<std::uint32_t> of_first;  // plans of a batch mostly share one
  for (const FilteredPlan& one : filtered) {
    std::uint32_t number = of_first.value_or(0);
    if (!one.as_first || !of_first) {
      const Filter& filter = plans.plan(one.plan).filter();
      const auto [found, fresh] =
          numbers.try_emplace(&filter, static_cast<std::uint32_t>(choices_.size()));
      if (fresh) choices_.push_back({&filter});
      number = found->second;
      if (one.as_first) of_first = number;
    }
    numbers_[one.plan] = number;
    ++choices_[number].plans;
    choices_[number].by_bounds = choices_[number].by_bounds && one.by_bounds;
  }
}

std::size_t FilterChoices::bitmaps() const {
  return static_cast<std::size_t>(
      std::ranges::count(choices_, false, &FilterChoice::on_candidates));
}

void FilterChoices::choose(FilterChoice& choice, DeviceFilters& filters, double least_share) {
  const std::uint64_t searches = filters.count_searches(*choice.filter, choice.plans);
  if (filters.has_all(*choice.filter)) return;
  choice.bound = filters.bind(*choice.filter);
  // The documents that are not deleted are a bitmap anyway.
  const bool possible =
      choice.by_bounds && searches < kManySearches && choice.filter->kind() != Filter::Kind::kLive;
  const auto worth_it = [&](std::size_t s) {
    const BoundFilter& bound = choice.bound[s];
    return has_steps(bound.filter) &&
           share_of_open_blocks(bound.filter, bound.share) >= least_share;
  };
  choice.on_candidates = possible;
  for (std::size_t s = 0; choice.on_candidates && s < choice.bound.size(); ++s) {
    // Where nothing can pass, nothing is searched either way.
    choice.on_candidates = choice.bound[s].filter.kind == Kind::kNone || worth_it(s);
  }
}

}  // namespace gannet::query::cuda
