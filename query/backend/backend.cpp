// What back ends do that find nothing of it out in a way of their own.
#include "query/backend/backend.hpp"

#include "query/backend/column_work.hpp"
#include "query/backend/gather_options.hpp"
#include "query/backend/partial_result.hpp"
#include "query/results/matches.hpp"

namespace gannet::query {

void Backend::gather(std::span<const Plan> plans, const GatherOptions& options, Report& report,
                     std::span<PartialResult> results) const {
  std::vector<std::size_t> numbers;
  std::vector<Plan> mine;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (!options.share.has(i)) continue;
    numbers.push_back(i);
    mine.push_back(plans[i]);
  }
  const Results found = run(mine, options, report);
  for (std::size_t i = 0; i < mine.size(); ++i) results[numbers[i]] = partial(mine[i], found[i]);
  if (options.found) options.found(numbers);
}

std::unique_ptr<ShardExchange> Backend::make_exchange(std::size_t) const { return nullptr; }

std::vector<LeftPlan> Backend::look_at_columns(std::span<const Plan> plans, const ColumnWork&,
                                               const Found&, const SearchOptions&) const {
  std::vector<LeftPlan> left;
  for (std::size_t i = 0; i < plans.size(); ++i) left.push_back({i});
  return left;
}

std::optional<Results> Backend::run_to_bitmaps(std::span<const Plan>, std::span<Matches>,
                                               const SearchOptions&, Report&) const {
  return std::nullopt;
}

}  // namespace gannet::query
