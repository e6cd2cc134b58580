#include "query/devices/copies_backend.hpp"

#include <algorithm>
#include <utility>

#include "query/devices/device_group.hpp"
#include "query/devices/device_report.hpp"
#include "query/devices/side_by_side.hpp"

namespace gannet::query {
namespace {

/// Fewer plans are not worth a second device.
constexpr std::size_t kLeastPlans = 16;

/// The postings of each plan's lists, and what any plan costs.
std::vector<std::uint64_t> costs(std::span<const Plan> plans) {
  constexpr std::uint64_t kAnyPlan = 4096;
  std::vector<std::uint64_t> costs;
  costs.reserve(plans.size());
  for (const Plan& plan : plans) {
    std::uint64_t cost = kAnyPlan;
    for (const PlanTerm& term : plan.terms()) cost += term.document_frequency;
    costs.push_back(cost);
  }
  return costs;
}

/// The results of plans that follow each other. Without scores if no part has any.
Results append(std::vector<Results> parts) {
  const bool scored =
      std::ranges::any_of(parts, [](const Results& r) { return !r.scores.empty(); });
  Results all = std::move(parts.front());
  if (scored) all.scores.resize(all.docids.size(), 0.0f);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const Results& part = parts[i];
    const std::uint64_t base = all.docids.size();
    all.counts.insert(all.counts.end(), part.counts.begin(), part.counts.end());
    for (std::size_t p = 1; p < part.offsets.size(); ++p) {
      all.offsets.push_back(base + part.offsets[p]);
    }
    all.docids.insert(all.docids.end(), part.docids.begin(), part.docids.end());
    all.scores.insert(all.scores.end(), part.scores.begin(), part.scores.end());
    if (scored) all.scores.resize(all.docids.size(), 0.0f);
  }
  return all;
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
  std::vector<Results> found(parts);
  DeviceReports reports(parts, report);
  side_by_side(parts, options, [&](std::size_t i, const SearchOptions& each) {
    const std::size_t first = i == 0 ? 0 : ends[i - 1];
    found[i] = copies_[i]->run(plans.subspan(first, ends[i] - first), each, reports[i]);
  });
  Results results = append(std::move(found));
  reports.add(Queries::kOfOneDevice);
  return results;
}

std::optional<std::vector<SegmentFindings>> CopiesBackend::look_at_columns(
    const Plan& plan, const ColumnWork& work, const SearchOptions& options) const {
  return next().look_at_columns(plan, work, options);
}

}  // namespace gannet::query
