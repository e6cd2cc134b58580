#include "query/multi_gpu/copies_backend.hpp"

#include <algorithm>
#include <utility>

#include "query/backend/column_work.hpp"
#include "query/backend/gather_options.hpp"
#include "query/backend/result_layout.hpp"
#include "query/multi_gpu/device_report.hpp"
#include "query/multi_gpu/side_by_side.hpp"

namespace gannet::query {
namespace {

/// Fewer plans are not worth a second device.
constexpr std::size_t kMinPlans = 16;

}  // namespace

CopiesBackend::CopiesBackend(std::vector<std::unique_ptr<Backend>> copies)
    : copies_(std::move(copies)) {}

const Backend& CopiesBackend::next() const {
  return *copies_[calls_.fetch_add(1, std::memory_order_relaxed) % copies_.size()];
}

Results CopiesBackend::run(std::span<const Plan> plans, const SearchOptions& options,
                           Report& report) const {
  const std::size_t devices = std::min(copies_.size(), plans.size() / kMinPlans);
  if (devices < 2) return next().run(plans, options, report);
  return within_limits(options, [&](const SearchOptions& limited) {
    return run_on(devices, plans, limited, report);
  });
}

Results CopiesBackend::run_on(std::size_t devices, std::span<const Plan> plans,
                              const SearchOptions& options, Report& report) const {
  PartialResults found(plans.size());
  ResultLayout layout(plans, {{found.all()}}, options.stop);
  DeviceReports reports(devices, report);
  side_by_side(devices, options, [&](std::size_t i, const SearchOptions& each) {
    GatherOptions how{each};
    how.share = share_of(i, devices, plans.size());
    how.found = [&](std::span<const std::size_t> some) { layout.found(0, some); };
    copies_[i]->gather(plans, how, reports[i], found.all());
  });
  Results results = layout.finish();
  found.keep();
  reports.add(Queries::kOfOneDevice);
  return results;
}

std::vector<LeftPlan> CopiesBackend::look_at_columns(std::span<const Plan> plans,
                                                     const ColumnWork& work, const Found& found,
                                                     const SearchOptions& options) const {
  const std::size_t devices = std::min(copies_.size(), plans.size() / kMinPlans);
  if (devices < 2) return next().look_at_columns(plans, work, found, options);
  return within_limits(options, [&](const SearchOptions& limited) {
    return look_on(devices, plans, work, found, limited);
  });
}

std::vector<LeftPlan> CopiesBackend::look_on(std::size_t devices, std::span<const Plan> plans,
                                             const ColumnWork& work, const Found& found,
                                             const SearchOptions& options) const {
  std::vector<std::vector<LeftPlan>> left(devices);
  side_by_side(devices, options, [&](std::size_t d, const SearchOptions& each) {
    const std::size_t first = plans.size() * d / devices;
    const std::size_t count = plans.size() * (d + 1) / devices - first;
    left[d] = copies_[d]->look_at_columns(
        plans.subspan(first, count), work,
        [&](std::size_t i, ColumnFindings&& findings) { found(first + i, std::move(findings)); },
        each);
    for (LeftPlan& one : left[d]) one.plan += first;
  });
  std::vector<LeftPlan> all;
  for (const auto& some : left) all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace gannet::query
