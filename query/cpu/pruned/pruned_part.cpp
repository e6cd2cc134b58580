#include "query/cpu/pruned/pruned_part.hpp"

#include <algorithm>
#include <cmath>

#include "codecs/base/cancellation.hpp"
#include "query/plan/making/expression.hpp"

namespace gannet::query {
namespace {

/// How much a contribution can be above or below its weight times the contribution at weight 1,
/// by rounding: what scorers promise, and more.
constexpr double kWeightMargin = 4e-6;
/// Sums of bounds beyond these are not pruned by: they would leave what float32 can scale.
constexpr double kMinPlanSum = 1e-25;
constexpr double kMaxFloatSum = 1e30;

/// Terms that neither decide nor score are not in the expression, nor worth reading.
bool wanted(const Plan& plan, std::size_t number) {
  return plan.terms()[number].scored() ||
         std::ranges::any_of(plan.expression(), [&](const Node& node) {
           return node.kind == Node::Kind::kTerm && node.operand == number;
         });
}

}  // namespace

PlaceState PrunedPart::read(const PrunedPlace& where, const Plan& plan, TermPool& pool) {
  place = &where;
  first_range = where.range.begin / kRange;
  ranges = (where.range.end - where.range.begin + kRange - 1) / kRange;
  scored.clear();
  others.clear();
  by_number.assign(where.ids.size(), nullptr);
  bool impossible = false;
  for (std::size_t i = 0; i < where.ids.size(); ++i) {
    throw_if_stopped();  // lists without bounds are decoded
    if (!wanted(plan, i)) continue;
    if (where.ids[i] != kNoTerm) {
      if (!add_term(plan, i, pool)) return PlaceState::kNoGood;
    } else if (plan.terms()[i].required) {
      impossible = true;
    }
  }
  largest = 0;
  for (const PrunedTerm* term : scored) largest += term->largest;
  if (largest != 0 && !(largest >= kMinPlanSum && largest <= kMaxFloatSum))
    return PlaceState::kNoGood;
  if (impossible || largest == 0) return PlaceState::kNothingMatches;
  in_plan_order = scored;
  sort_terms();
  return PlaceState::kReady;
}

bool PrunedPart::add_term(const Plan& plan, std::size_t number, TermPool& pool) {
  PrunedTerm& term = pool.next();
  const PlanTerm& plan_term = plan.terms()[number];
  const index::TermId id = place->ids[number];
  term.number = static_cast<std::uint32_t>(number);
  term.contribution = Contribution(plan, plan_term);
  term.lengths = place->segment->text_lengths(plan_term.field).data();
  term.required = plan_term.required;
  term.scored = plan_term.scored();
  term.bounds = place->bounds->find(id);
  if (!read_list(term, id)) return false;
  by_number[number] = &term;
  (term.scored ? scored : others).push_back(&term);
  return true;
}

bool PrunedPart::read_list(PrunedTerm& term, index::TermId id) const {
  if (term.bounds == nullptr) {
    const index::PostingList list = place->segment->list(id);
    term.count = list.count;
    term.decoded.read(*place->segment, list, place->range,
                      term.scored ? &term.contribution : nullptr);
    term.largest = term.decoded.largest();
    return true;
  }
  term.count = term.bounds->list.count;
  term.dense.reset(*term.bounds);
  const double weight = term.contribution.weight();
  term.largest = weight * term.bounds->largest * (1 + kWeightMargin);
  return !term.scored || (term.bounds->unit.proportional_to(term.contribution) &&
                          std::isnormal(term.bounds->largest));
}

/// Required terms narrow what is possible, the rarest first; then those that can add most.
void PrunedPart::sort_terms() {
  std::ranges::stable_sort(scored, [](const PrunedTerm* a, const PrunedTerm* b) {
    if (a->required != b->required) return a->required;
    return a->required ? a->count < b->count : a->largest > b->largest;
  });
}

float PrunedPart::reached_by_one_list(std::uint64_t documents) const {
  double reached = 0;
  for (const PrunedTerm* term : scored) {
    if (term->bounds == nullptr) continue;
    const double unit = term->bounds->reached_by(documents);
    reached = std::max(reached, unit * term->contribution.weight() * (1 - kWeightMargin));
  }
  return static_cast<float>(reached * (1 - kWeightMargin));
}

}  // namespace gannet::query
