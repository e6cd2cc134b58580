#include "query/devices/shards_backend.hpp"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <utility>

#include "codecs/core/cancellation.hpp"
#include "query/detail/plan_ranges.hpp"
#include "query/devices/device_report.hpp"
#include "query/devices/side_by_side.hpp"

namespace gannet::query {
namespace {

bool has_matches(const ColumnFindings& findings) {
  return std::ranges::any_of(findings,
                             [](const SegmentFindings& one) { return one.matches.documents > 0; });
}

}  // namespace

/// Adds what the other shards found of plan p to what the first one did. The first shard's
/// documents are numbered as the whole's.
void ShardsBackend::join(const Plan& plan, std::size_t p,
                         std::span<std::vector<PartialResult>> found) const {
  PartialResult& all = found.front()[p];
  for (std::size_t s = 1; s < found.size(); ++s) {
    PartialResult& more = found[s][p];
    const std::uint32_t base = shards_[s].docid_base;
    all.count += more.count;
    // The low half of a key falls as the docid grows (rank_key()).
    for (std::uint64_t& key : more.keys) key -= base;
    all.merge({more.keys.data(), more.keys.size()}, plan.k());
    for (const std::uint32_t docid : more.docids) all.docids.push_back(docid + base);
    more = {};
  }
}

ShardsBackend::ShardsBackend(std::vector<Shard> shards) : shards_(std::move(shards)) {}

Results ShardsBackend::run(std::span<const Plan> plans, const SearchOptions& options,
                           Report& report) const {
  std::vector<std::vector<PartialResult>> found(shards_.size());
  DeviceReports reports(shards_.size(), report);
  side_by_side(shards_.size(), options, [&](std::size_t i, const SearchOptions& each) {
    found[i].resize(plans.size());
    shards_[i].backend->gather(plans, each, reports[i], found[i]);
  });
  for_plan_ranges(plans.size(), kPlansPerTask, [&](std::size_t begin, std::size_t end) {
    throw_if_stopped(options.stop);
    for (std::size_t p = begin; p != end; ++p) join(plans[p], p, found);
  });
  Results results = flatten(plans, found.front(), options.stop);
  reports.add(Queries::kOfAll);
  return results;
}

std::optional<std::vector<SegmentFindings>> ShardsBackend::look_at_columns(
    const Plan& plan, const ColumnWork& work, const SearchOptions& options) const {
  std::vector<std::optional<ColumnFindings>> found(shards_.size());
  side_by_side(shards_.size(), options, [&](std::size_t i, const SearchOptions& each) {
    found[i] = shards_[i].backend->look_at_columns(plan, work, each);
  });
  if (!std::ranges::all_of(found, [](const auto& part) { return part.has_value(); })) {
    return std::nullopt;
  }
  const auto has = [](const auto& part) { return has_matches(*part); };
  if (std::ranges::any_of(found, has) && !add_matches(plan, options, found)) return std::nullopt;
  ColumnFindings findings;
  for (auto& part : found) std::move(part->begin(), part->end(), std::back_inserter(findings));
  return findings;
}

/// Asks the shards that left their matches out for them: who looks at those of one segment looks at
/// all. False if one has nothing to say just now.
bool ShardsBackend::add_matches(const Plan& plan, const SearchOptions& options,
                                std::span<std::optional<ColumnFindings>> found) const {
  std::atomic<bool> all = true;
  side_by_side(shards_.size(), options, [&](std::size_t i, const SearchOptions& each) {
    if (has_matches(*found[i])) return;
    auto more = shards_[i].backend->look_at_columns(plan, {.matches = true}, each);
    if (!more) {
      all = false;
      return;
    }
    for (std::size_t s = 0; s < more->size(); ++s) {
      (*found[i])[s].matches = std::move((*more)[s].matches);
    }
  });
  return all;
}

}  // namespace gannet::query
