#include "query/multi_gpu/shard_columns.hpp"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "query/multi_gpu/side_by_side.hpp"

namespace gannet::query {
namespace {

/// Plans of which all shards' findings are kept at a time, and of findings that may be large:
/// counts of many codes, or matches.
constexpr std::size_t kPlansPerStep = 256;
constexpr std::size_t kLargePlansPerStep = 16;

/// The findings of one shard, by plan; nothing where it left the plan.
using ShardFindings = std::vector<std::optional<ColumnFindings>>;

bool has_matches(const ColumnFindings& findings) {
  return std::ranges::any_of(findings,
                             [](const SegmentFindings& one) { return one.matches.documents > 0; });
}

/// Some plans, and what the shards find.
class ShardStep {
 public:
  ShardStep(std::span<const Shard> shards, std::span<const Plan> plans,
            const SearchOptions& options)
      : shards_(shards),
        plans_(plans),
        options_(options),
        found_(shards.size(), ShardFindings(plans.size())),
        left_(shards.size()) {}

  void look(const ColumnWork& work) {
    side_by_side(shards_.size(), options_, [&](std::size_t s, const SearchOptions& each) {
      const auto keep = [&](std::size_t i, ColumnFindings&& findings) {
        found_[s][i] = std::move(findings);
      };
      left_[s] = shards_[s].backend->look_at_columns(plans_, work, keep, each);
    });
    add_matches();
  }

  /// Whether all shards have said something of a plan.
  bool has(std::size_t plan) const {
    return std::ranges::all_of(found_, [&](const ShardFindings& of) { return bool(of[plan]); });
  }
  /// Why shards left a plan.
  ColumnReasons reasons(std::size_t plan) const {
    ColumnReasons all;
    for (const auto& of : left_) {
      for (const LeftPlan& one : of) {
        if (one.plan == plan) all.add(one.reasons);
      }
    }
    return all;
  }
  /// The findings of a plan that has() some.
  ColumnFindings take(std::size_t plan) {
    ColumnFindings all;
    for (ShardFindings& of : found_) std::ranges::move(*of[plan], std::back_inserter(all));
    return all;
  }

 private:
  /// Asks the shards that left a plan's matches out for them, if another did not: who looks at
  /// those of one segment looks at all. A plan of which one has nothing to say just now is left.
  void add_matches() {
    std::vector<std::size_t> wanted;
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      const auto has_some = [&](const ShardFindings& of) { return has_matches(*of[i]); };
      if (has(i) && std::ranges::any_of(found_, has_some)) wanted.push_back(i);
    }
    if (wanted.empty()) return;
    side_by_side(shards_.size(), options_,
                 [&](std::size_t s, const SearchOptions& each) { add_matches(s, wanted, each); });
  }

  void add_matches(std::size_t shard, std::span<const std::size_t> wanted,
                   const SearchOptions& options) {
    std::vector<std::size_t> numbers;
    std::vector<Plan> plans;
    for (const std::size_t i : wanted) {
      if (has_matches(*found_[shard][i])) continue;
      numbers.push_back(i);
      plans.push_back(plans_[i]);
    }
    if (plans.empty()) return;
    const auto add = [&](std::size_t n, ColumnFindings&& more) {
      ColumnFindings& known = *found_[shard][numbers[n]];
      for (std::size_t s = 0; s < more.size(); ++s) known[s].matches = std::move(more[s].matches);
    };
    const ColumnWork matches{.matches = true};
    for (const LeftPlan& one :
         shards_[shard].backend->look_at_columns(plans, matches, add, options)) {
      found_[shard][numbers[one.plan]].reset();
      left_[shard].push_back({numbers[one.plan], one.reasons});
    }
  }

  std::span<const Shard> shards_;
  std::span<const Plan> plans_;
  const SearchOptions& options_;
  // By shard:
  std::vector<ShardFindings> found_;
  std::vector<std::vector<LeftPlan>> left_;
};

}  // namespace

std::vector<LeftPlan> look_at_columns_of_shards(std::span<const Shard> shards,
                                                std::span<const Plan> plans, const ColumnWork& work,
                                                const Backend::Found& found,
                                                const SearchOptions& options) {
  std::vector<LeftPlan> left;
  const bool large = work.matches || !work.counted.empty();
  const std::size_t step_size = large ? kLargePlansPerStep : kPlansPerStep;
  for (std::size_t first = 0; first < plans.size(); first += step_size) {
    const auto some = plans.subspan(first, std::min(step_size, plans.size() - first));
    ShardStep step(shards, some, options);
    step.look(work);
    tbb::parallel_for(std::size_t{0}, some.size(), [&](std::size_t i) {
      if (step.has(i)) found(first + i, step.take(i));
    });
    for (std::size_t i = 0; i < some.size(); ++i) {
      if (!step.has(i)) left.push_back({first + i, step.reasons(i)});
    }
  }
  return left;
}

}  // namespace gannet::query
