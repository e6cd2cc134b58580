#include "query/gpu/plan/pruned/clause_marks.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>

namespace gannet::query::cuda {
namespace {

/// The number among the segment's terms of each term of the plan, kNone where the segment lacks it.
boost::container::small_vector<std::uint32_t, 32> numbers_of(std::span<const index::TermId> ids) {
  boost::container::small_vector<std::uint32_t, 32> numbers;
  std::uint32_t next = 0;
  for (const index::TermId id : ids) numbers.push_back(id == kNoTerm ? kNone : next++);
  return numbers;
}

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

}  // namespace

void mark_clauses(const Plan& plan, std::span<const index::TermId> ids,
                  std::span<PrunedTerm> terms) {
  if (plan.disjunction()) return;  // every document that is looked at has a term
  if (plan.conjunction()) {
    for (PrunedTerm& term : terms) term.clause = kInClause | kEndsClause | kRulesRanges;
    return;
  }
  const auto numbers = numbers_of(ids);
  for (std::size_t c = 0; c < plan.clauses().size(); ++c) {
    Run run;
    for (const std::uint32_t term : plan.clauses()[c]) run.add(numbers[term]);
    if (!run.together()) continue;
    const auto members = terms.subspan(run.first, run.count);
    if (std::ranges::any_of(members, [](const PrunedTerm& t) { return t.clause != 0; })) continue;
    const bool rules =
        std::ranges::all_of(members, [](const PrunedTerm& t) { return t.weight != 0; });
    for (PrunedTerm& term : members) term.clause = kInClause | (rules ? kRulesRanges : 0u);
    members.back().clause |= kEndsClause;
  }
}

}  // namespace gannet::query::cuda
