#include "query/devices/shards_backend.hpp"

#include <iterator>
#include <utility>

#include "query/devices/device_report.hpp"
#include "query/devices/side_by_side.hpp"
#include "query/shards/join_results.hpp"

namespace gannet::query {

ShardsBackend::ShardsBackend(std::vector<Shard> shards) : shards_(std::move(shards)) {}

Results ShardsBackend::run(std::span<const Plan> plans, const SearchOptions& options,
                           Report& report) const {
  std::vector<Results> found(shards_.size());
  DeviceReports reports(shards_.size(), report);
  side_by_side(shards_.size(), options, [&](std::size_t i, const SearchOptions& each) {
    found[i] = shards_[i].backend->run(plans, each, reports[i]);
    renumber(found[i], shards_[i].docid_base);
  });
  std::vector<const Results*> shards;
  for (const Results& one : found) shards.push_back(&one);
  Results results = join_results(plans, shards);
  reports.add(Queries::kOfAll);
  return results;
}

std::optional<std::vector<SegmentFindings>> ShardsBackend::look_at_columns(
    const Plan& plan, const ColumnWork& work, const SearchOptions& options) const {
  std::vector<std::optional<std::vector<SegmentFindings>>> found(shards_.size());
  side_by_side(shards_.size(), options, [&](std::size_t i, const SearchOptions& each) {
    found[i] = shards_[i].backend->look_at_columns(plan, work, each);
  });
  std::vector<SegmentFindings> findings;
  for (auto& part : found) {
    if (!part) return std::nullopt;
    std::move(part->begin(), part->end(), std::back_inserter(findings));
  }
  return findings;
}

}  // namespace gannet::query
