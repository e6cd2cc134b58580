#include "query/backend/choosing_backend.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "query/backend/column_work.hpp"
#include "query/backend/gather_options.hpp"
#include "query/results/matches.hpp"

namespace gannet::query {
namespace {

std::string microseconds(double seconds) {
  return std::to_string(std::llround(seconds * 1e6)) + " us";
}

}  // namespace

ChoosingBackend::ChoosingBackend(std::unique_ptr<Backend> gpu, std::unique_ptr<Backend> cpu,
                                 std::uint64_t documents, const CountProcessors& processors)
    : gpu_(std::move(gpu)), cpu_(std::move(cpu)), documents_(documents), processors_(processors) {}

Results ChoosingBackend::run(std::span<const Plan> plans, const SearchOptions& options,
                             Report& report) const {
  const bool open =
      !plans.empty() && !options.exhaustive && std::ranges::all_of(plans, has_known_count_cost);
  if (!open) return gpu_->run(plans, options, report);
  const CountCosts costs = count_costs(plans, documents_, processors_);
  if (costs.cpu > kMargin * costs.gpu) return gpu_->run(plans, options, report);
  report.backend = cpu_->name();
  report.reason = "counts are expected to take " + microseconds(costs.cpu) + " on the CPU and " +
                  microseconds(costs.gpu) + " on the GPU";
  return cpu_->run(plans, options, report);
}

void ChoosingBackend::gather(std::span<const Plan> plans, const GatherOptions& options,
                             Report& report, std::span<PartialResult> results) const {
  gpu_->gather(plans, options, report, results);
}

std::unique_ptr<ShardExchange> ChoosingBackend::make_exchange(std::size_t shards) const {
  return gpu_->make_exchange(shards);
}

std::vector<LeftPlan> ChoosingBackend::look_at_columns(std::span<const Plan> plans,
                                                       const ColumnWork& work, const Found& found,
                                                       const SearchOptions& options) const {
  return gpu_->look_at_columns(plans, work, found, options);
}

std::optional<Results> ChoosingBackend::run_to_bitmaps(std::span<const Plan> plans,
                                                       std::span<Matches> matches,
                                                       const SearchOptions& options,
                                                       Report& report) const {
  return gpu_->run_to_bitmaps(plans, matches, options, report);
}

}  // namespace gannet::query
