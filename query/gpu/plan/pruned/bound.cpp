#include "query/gpu/plan/pruned/bound.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

/// The bound of a term's contributions in all segments. `max` is 0 if no segment has it. Nothing if
/// the statistics of one of its lists cannot be used.
std::optional<TermBound> bound_term(const PlanBinding& binding, std::size_t number,
                                    const Contribution& contribution) {
  TermBound bound;
  for (const PartBinding& part : binding.parts) {
    const ListStats* const list = part.lists.empty() ? nullptr : part.lists[number];
    if (list == nullptr) continue;
    const auto multiple = contribution.multiple_of(list->unit);
    if (!multiple || !std::isnormal(list->largest)) return {};
    bound.max = std::max(bound.max, max_contribution(multiple->most, *list));
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

/// Contributions of a word in one of its texts are at least this times those at weight 1 in all
/// segments, whose statistics may be of other weights of the text.
double least_multiple(const PlanBinding& binding, const WordList& word) {
  double least = std::numeric_limits<double>::infinity();
  for (const PartBinding& part : binding.parts) {
    const ListStats* const list = part.lists.empty() ? nullptr : part.lists[word.term];
    if (list == nullptr) continue;
    least = std::min(least, word.contribution.multiple_of(list->unit)->least);
  }
  return std::isfinite(least) ? least : 0;
}

/// What reached_by_term() says of scores, for the best of the terms. Rounding included, a word's
/// score is not less than what it is in each of its texts alone by more than the margin.
double reached_by_lists(const PlanBinding& binding, const WordLists& words) {
  double reached = 0;
  if (scores_words(*binding.plan)) {
    for (const WordList& word : words) {
      const double alone = reached_by_term(binding, word.term);
      if (alone > 0) reached = std::max(reached, alone * least_multiple(binding, word));
    }
    return reached;
  }
  for (std::size_t t = 0; t < binding.plan->terms().size(); ++t) {
    const PlanTerm& term = binding.plan->terms()[t];
    if (!term.scored()) continue;
    reached = std::max(reached, double{reached_by_term(binding, t)} * term.weight);
  }
  return reached;
}

/// PlanBounds::start.
float start_of(const PlanBinding& binding, const WordLists& words) {
  if (!has(Step::kStartThreshold)) return 0;
  if (!binding.plan->disjunction()) return binding.reached;
  return std::max(binding.reached, with_margin(reached_by_lists(binding, words)));
}

/// Adds the bound of a list's contributions. False if its statistics cannot be used.
bool add_bound(const std::optional<TermBound>& term, PlanBounds& bounds) {
  if (!term) return false;
  if (term->max == 0) return true;  // no segment has it
  bounds.terms.push_back(*term);
  bounds.sum += term->max;
  return true;
}

bool add_bounds(const PlanBinding& binding, PlanBounds& bounds) {
  if (scores_words(*binding.plan)) {
    bounds.words = word_lists(*binding.plan);
    return std::ranges::all_of(bounds.words, [&](const WordList& word) {
      return add_bound(bound_term(binding, word.term, word.contribution), bounds);
    });
  }
  for (std::size_t t = 0; t < binding.plan->terms().size(); ++t) {
    const PlanTerm& term = binding.plan->terms()[t];
    if (!term.scored()) continue;
    if (!add_bound(bound_term(binding, t, Contribution(term)), bounds)) return false;
  }
  return true;
}

}  // namespace

std::optional<PlanBounds> bound_plan(const PlanBinding& binding) {
  std::optional<PlanBounds> bounds(std::in_place);
  if (!add_bounds(binding, *bounds)) return {};
  if (bounds->terms.empty() || bounds->sum < kMinPlanSum || bounds->sum > kMaxPlanSum) return {};
  bounds->start = start_of(binding, bounds->words);
  return bounds;
}

}  // namespace gannet::query::cuda
