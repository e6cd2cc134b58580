#include "query/multi_gpu/shards_backend.hpp"

#include <algorithm>
#include <utility>

#include "codecs/base/error.hpp"
#include "query/backend/gather_options.hpp"
#include "query/backend/result_layout.hpp"
#include "query/multi_gpu/device_report.hpp"
#include "query/multi_gpu/shard_columns.hpp"
#include "query/multi_gpu/side_by_side.hpp"

namespace gannet::query {
namespace {

/// Fewer plans do not wait for what other shards find.
constexpr std::size_t kMinExchanged = 64;

}  // namespace

ShardsBackend::ShardsBackend(std::vector<Shard> shards) : shards_(std::move(shards)) {
  idle_.reserve(kExchanges);
}
ShardsBackend::~ShardsBackend() = default;

/// For a call with these plans; null if there is none, or none is worth while.
ShardsBackend::ExchangeLease ShardsBackend::exchange_for(std::span<const Plan> plans,
                                                         const SearchOptions& options) const {
  if (plans.size() < kMinExchanged || options.exhaustive) return {nullptr, {this}};
  ExchangeLease lease = take_exchange();
  try {
    if (lease != nullptr && lease->begin(plans)) return lease;
  } catch (const DeviceMemoryError&) {  // the shards do without
  }
  return {nullptr, {this}};
}

ShardsBackend::ExchangeLease ShardsBackend::take_exchange() const {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<ShardExchange> exchange;
  if (!idle_.empty()) {
    exchange = std::move(idle_.back());
    idle_.pop_back();
  } else if (made_ < kExchanges) {
    exchange = shards_.front().backend->make_exchange(shards_.size());
    made_ += exchange != nullptr ? 1 : 0;
  }
  return {exchange.release(), {this}};
}

void ShardsBackend::GiveBack::operator()(ShardExchange* exchange) const {
  const std::lock_guard lock(backend->mutex_);
  backend->idle_.emplace_back(exchange);  // there is room: no more are made
}

Results ShardsBackend::run(std::span<const Plan> plans, const SearchOptions& options,
                           Report& report) const {
  return within_limits(
      options, [&](const SearchOptions& limited) { return run_limited(plans, limited, report); });
}

namespace {

/// Plans with docids as a shard has them: only plans that do not begin at the best hit differ.
class PlansOfShard {
 public:
  PlansOfShard(std::span<const Plan> plans, index::Docid docid_base) : plans_(plans) {
    const auto begins_later = [](const Plan& plan) { return !plan.page().first(); };
    if (docid_base == 0 || std::ranges::none_of(plans, begins_later)) return;
    for (const Plan& plan : plans) {
      const std::uint64_t below = bound_in_part(plan.page().below, docid_base);
      own_.push_back(plan.with_page({below, plan.page().before}));
    }
    plans_ = own_;
  }

  std::span<const Plan> all() const { return plans_; }

 private:
  std::vector<Plan> own_;
  std::span<const Plan> plans_;
};

}  // namespace

Results ShardsBackend::run_limited(std::span<const Plan> plans, const SearchOptions& options,
                                   Report& report) const {
  std::vector<PartialResults> found;
  std::vector<FoundPart> parts;
  for (const Shard& shard : shards_) {
    found.emplace_back(plans.size());
    parts.push_back({found.back().all(), shard.docid_base});
  }
  ResultLayout layout(plans, parts, options.stop);
  DeviceReports reports(shards_.size(), report);
  const auto exchange = exchange_for(plans, options);
  side_by_side(shards_.size(), options, [&](std::size_t i, const SearchOptions& each) {
    GatherOptions how{each};
    how.exchange = exchange.get();
    how.shard = i;
    how.found = [&](std::span<const std::size_t> some) { layout.found(i, some); };
    const PlansOfShard own(plans, shards_[i].docid_base);
    shards_[i].backend->gather(own.all(), how, reports[i], found[i].all());
  });
  Results results = layout.finish();
  for (PartialResults& each : found) each.keep();
  reports.add(Queries::kOfAll);
  return results;
}

std::vector<LeftPlan> ShardsBackend::look_at_columns(std::span<const Plan> plans,
                                                     const ColumnWork& work, const Found& found,
                                                     const SearchOptions& options) const {
  return within_limits(options, [&](const SearchOptions& limited) {
    return look_at_columns_of_shards(shards_, plans, work, found, limited);
  });
}

}  // namespace gannet::query
