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

std::optional<std::vector<SegmentFindings>> CopiesBackend::look_at_columns(
    const Plan& plan, const ColumnWork& work, const SearchOptions& options) const {
  return next().look_at_columns(plan, work, options);
}

}  // namespace gannet::query
