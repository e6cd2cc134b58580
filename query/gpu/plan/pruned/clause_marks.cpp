#include "query/gpu/plan/pruned/clause_marks.hpp"

#include <algorithm>

namespace gannet::query::cuda {
namespace {

/// The terms of a clause that stand at [first, last]; no term: first is kNone.
struct Run {
  std::uint32_t first = kNone, last = 0, count = 0;
  void add(std::uint32_t number) {
    if (number == kNone) return;
    first = std::min(first, number);
    last = std::max(last, number);
    ++count;
  }
  bool together() const { return count != 0 && last - first + 1 == count; }
};

/// Lists without a score have no bounds: ranges where they have postings look empty.
std::uint32_t rules(const PrunedTerm& term) { return term.weight != 0 ? kRulesRanges : 0u; }

}  // namespace

void mark_clauses(const Plan& plan, const ListNumbers& numbers, std::span<PrunedTerm> terms) {
  if (plan.disjunction()) return;  // every document that is looked at has a term
  if (plan.conjunction()) {
    for (PrunedTerm& term : terms) term.clause |= kInClause | kEndsClause | rules(term);
    return;
  }
  for (std::size_t c = 0; c < plan.clauses().size(); ++c) {
    Run run;
    for (const std::uint32_t term : plan.clauses()[c]) run.add(numbers[term]);
    if (!run.together()) continue;
    const auto members = terms.subspan(run.first, run.count);
    const auto is_marked = [](const PrunedTerm& t) { return (t.clause & kInClause) != 0; };
    if (std::ranges::any_of(members, is_marked)) continue;
    const bool all_rule = std::ranges::all_of(members, rules);
    for (PrunedTerm& term : members) term.clause |= kInClause | (all_rule ? kRulesRanges : 0u);
    members.back().clause |= kEndsClause;
  }
}

}  // namespace gannet::query::cuda
