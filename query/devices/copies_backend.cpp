#include "query/devices/copies_backend.hpp"

#include <algorithm>
#include <utility>

#include "query/detail/partial_result.hpp"
#include "query/detail/plan_ranges.hpp"
#include "query/detail/shard_exchange.hpp"
#include "query/devices/device_group.hpp"
#include "query/devices/device_report.hpp"
#include "query/devices/side_by_side.hpp"

namespace gannet::query {
namespace {

/// Fewer plans are not worth a second device.
constexpr std::size_t kLeastPlans = 16;

/// The postings of each plan's lists, and what any plan costs. In parallel: one thread would wait
/// for memory at every plan.
std::vector<std::uint64_t> costs(std::span<const Plan> plans) {
  constexpr std::uint64_t kAnyPlan = 4096;
  std::vector<std::uint64_t> costs(plans.size(), kAnyPlan);
  for_plans(plans.size(), kPlansPerTask, [&](std::size_t i) {
    for (const PlanTerm& term : plans[i].terms()) costs[i] += term.document_frequency;
  });
  return costs;
}

}  // namespace

CopiesBackend::CopiesBackend(std::vector<std::unique_ptr<Backend>> copies)
    : copies_(std::move(copies)) {}

const Backend& CopiesBackend::next() const {
  return *copies_[calls_.fetch_add(1, std::memory_order_relaxed) % copies_.size()];
}

Results CopiesBackend::run(std::span<const Plan> plans, const SearchOptions& options,
                           Report& report) const {
  const std::size_t parts = std::min(copies_.size(), plans.size() / kLeastPlans);
  if (parts < 2) return next().run(plans, options, report);
  const std::vector<std::size_t> ends = even_stretches(costs(plans), parts);
  std::vector<PartialResult> found(plans.size());
  DeviceReports reports(parts, report);
  side_by_side(parts, options, [&](std::size_t i, const SearchOptions& each) {
    const std::size_t first = i == 0 ? 0 : ends[i - 1];
    const std::size_t count = ends[i] - first;
    copies_[i]->gather(plans.subspan(first, count), GatherOptions{each}, reports[i],
                       std::span(found).subspan(first, count));
  });
  Results results = flatten(plans, found, options.stop);
  reports.add(Queries::kOfOneDevice);
  return results;
}

std::optional<std::vector<SegmentFindings>> CopiesBackend::look_at_columns(
    const Plan& plan, const ColumnWork& work, const SearchOptions& options) const {
  return next().look_at_columns(plan, work, options);
}

}  // namespace gannet::query
