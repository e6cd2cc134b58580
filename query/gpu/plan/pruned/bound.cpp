#include "query/gpu/plan/pruned/bound.hpp"

#include <algorithm>
#include <cmath>

#include "query/bounds/list_bounds.hpp"
#include "query/gpu/plan/pruned/reached_together.hpp"
#include "query/gpu/plan/pruned/steps.hpp"

namespace gannet::query::cuda {
namespace {

/// Plans whose bounds add up to less or more are not pruned: float32 could not scale their scores.
constexpr double kMinPlanSum = 1e-25;
constexpr double kMaxPlanSum = 1e30;

// Most plans need no memory of their own.
using Lists = boost::container::small_vector<const ListStats*, 16>;

/// The bound of a term in all segments. `max` is 0 if no segment has it. Nothing if the statistics
/// of one of its lists cannot be used.
std::optional<TermBound> bound_term(const PlanBinding& binding, std::size_t number) {
  const PlanTerm& term = binding.plan->terms()[number];
  const Contribution contribution(term);
  TermBound bound;
  for (const PartBinding& part : binding.parts) {
    const ListStats* const list = part.lists.empty() ? nullptr : part.lists[number];
    if (list == nullptr) continue;
    if (!std::isnormal(list->largest) || !contribution.multiple_of(list->unit)) return {};
    bound.max = std::max(bound.max, max_contribution(term, *list));
    (list->room.codes != nullptr ? bound.has_codes : bound.has_numbers) = true;
  }
  return bound;
}

/// A score that is reached for certain where a weight times what is reached at weight 1 is this.
float with_margin(double reached) { return static_cast<float>(reached * (1 - 2 * kWeightMargin)); }

/// A contribution, at weight 1, that k documents of the page which pass the filter have at least,
/// by the statistics of a term's lists. It is that at rank k + (documents of earlier pages) +
/// (documents that do not pass).
float reached_by_term(const PlanBinding& binding, std::size_t number) {
  std::uint64_t rank = binding.plan->k() + binding.plan->page().before;
  Lists lists;
  for (const PartBinding& part : binding.parts) {
    if (part.lists.empty() || part.lists[number] == nullptr) continue;
    lists.push_back(part.lists[number]);
    rank += part.held_back;
  }
  if (lists.size() == 1) return reached_by(lists.front()->at_rank, kKnownRanks, rank);
  return reached_together({lists.data(), lists.size()}, rank);
}

/// PlanBounds::start.
float start_of(const PlanBinding& binding) {
  if (!has(Step::kStartThreshold)) return 0;
  if (!binding.plan->disjunction()) return binding.reached;
  double reached = 0;
  for (std::size_t t = 0; t < binding.plan->terms().size(); ++t) {
    const PlanTerm& term = binding.plan->terms()[t];
    if (!term.scored()) continue;
    reached = std::max(reached, double{reached_by_term(binding, t)} * term.weight);
  }
  return std::max(binding.reached, with_margin(reached));
}

}  // namespace

std::optional<PlanBounds> bound_plan(const PlanBinding& binding) {
  std::optional<PlanBounds> bounds(std::in_place);
  for (std::size_t t = 0; t < binding.plan->terms().size(); ++t) {
    if (!binding.plan->terms()[t].scored()) continue;
    const std::optional<TermBound> term = bound_term(binding, t);
    if (!term) return {};
    if (term->max == 0) continue;  // no segment has it
    bounds->terms.push_back(*term);
    bounds->sum += term->max;
  }
  if (bounds->terms.empty() || bounds->sum < kMinPlanSum || bounds->sum > kMaxPlanSum) return {};
  bounds->start = start_of(binding);
  return bounds;
}

}  // namespace gannet::query::cuda
