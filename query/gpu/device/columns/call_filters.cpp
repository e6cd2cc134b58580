// The filters of a call: bitmaps from the cache or made together, and steps.
#include <algorithm>
#include <iterator>
#include <utility>

#include "codecs/base/cancellation.hpp"
#include "query/filter/filter_estimates.hpp"
#include "query/gpu/device/columns/device_filters.hpp"
#include "query/gpu/device/columns/filter_choices.hpp"

namespace gannet::query::cuda {

CallFilters::CallFilters(DeviceFilters& filters, const FilterChoices& choices,
                         std::span<const std::size_t> filtered, std::size_t segments,
                         tbb::task_arena& arena, const std::stop_token& stop) {
  if (filtered.empty()) return;
  numbers_ = choices.numbers();
  made_.assign(segments, Made(choices.size()));
  const std::vector<std::uint64_t> used = uses(filtered);
  std::vector<std::size_t> steps, bitmaps;
  for (std::size_t number = 0; number < used.size(); ++number) {
    if (used[number] == 0) continue;
    (choices.choice(number).on_candidates ? steps : bitmaps).push_back(number);
  }
  if (!steps.empty()) make_steps(filters, choices, steps, arena, stop);
  for (std::size_t s = 0; s < segments; ++s) {
    // Steps that could not be made are bitmaps.
    std::vector<std::size_t> rest = bitmaps;
    std::ranges::copy_if(steps, std::back_inserter(rest),
                         [&](std::size_t number) { return made_[s][number] == nullptr; });
    make_bitmaps(filters, choices, rest, s, made_[s], arena, stop);
  }
}

std::vector<std::uint64_t> CallFilters::uses(std::span<const std::size_t> plans) const {
  std::vector<std::uint64_t> uses(size(), 0);
  if (none()) return uses;
  for (const std::size_t plan : plans) {
    if (numbers_[plan] != kNoFilter) ++uses[numbers_[plan]];
  }
  return uses;
}

/// The steps of all filters and segments go to the device in one copy.
void CallFilters::make_steps(DeviceFilters& filters, const FilterChoices& choices,
                             std::span<const std::size_t> numbers, tbb::task_arena& arena,
                             const std::stop_token& stop) {
  std::vector<FilterPrograms> programs(made_.size());
  std::vector<std::vector<std::size_t>> compiled(made_.size());
  std::size_t room = 0;
  for (std::size_t s = 0; s < made_.size(); ++s) {
    const FilterSources from = filters.sources(s, inputs_, arena, stop);
    for (const std::size_t number : numbers) {
      throw_if_stopped(stop);
      const SegmentFilter& filter = choices.choice(number).bound[s].filter;
      // Without a document that passes, nothing is searched: a bitmap says so.
      if (filter.kind == SegmentFilter::Kind::kNone) continue;
      if (programs[s].add(filter, from)) compiled[s].push_back(number);
    }
    room += programs[s].room<Arena>();
  }
  tables_.reset(new DeviceFilters::Tables::Lease(filters.tables().acquire(stop)));
  FilterTables& tables = **tables_;
  tables.arena.reset(room);
  for (FilterPrograms& each : programs) each.put(tables.arena);
  if (room > 0) tables.arena.send(tables.stream);
  tables.stream.wait();
  for (std::size_t s = 0; s < made_.size(); ++s) {
    const std::uint64_t documents = filters.documents_of(s);
    for (std::size_t i = 0; i < compiled[s].size(); ++i) {
      const std::size_t number = compiled[s][i];
      const BoundFilter& bound = choices.choice(number).bound[s];
      made_[s][number] = std::make_shared<const DeviceFilter>(
          programs[s].steps(i), programs[s].count(i), least_passing(bound.filter, documents),
          bound.estimated);
    }
  }
}

void CallFilters::make_bitmaps(DeviceFilters& filters, const FilterChoices& choices,
                               std::span<const std::size_t> numbers, std::size_t segment,
                               Made& made, tbb::task_arena& arena, const std::stop_token& stop) {
  std::vector<WantedFilter> wanted;
  std::vector<std::size_t> missing;
  std::vector<BoundFilter> bound;  // of those that the cache had when the call began
  bound.reserve(numbers.size());
  for (const std::size_t number : numbers) {
    throw_if_stopped(stop);
    const FilterChoice& choice = choices.choice(number);
    made[number] = filters.find(segment, *choice.filter);
    if (made[number] != nullptr) continue;
    missing.push_back(number);
    if (choice.bound.empty()) bound.push_back(filters.bind(*choice.filter, segment));
    wanted.push_back(
        {choice.filter, choice.bound.empty() ? &bound.back() : &choice.bound[segment]});
  }
  filters.make(segment, wanted, inputs_, arena, stop);
  for (std::size_t i = 0; i < missing.size(); ++i) made[missing[i]] = wanted[i].made;
}

}  // namespace gannet::query::cuda
