// Plans with clauses: the rarest one drives, the others are probed at its documents. Or a filter
// drives that few documents pass.
#pragma once

#include <span>
#include <stop_token>

#include "query/cpu/collector.hpp"
#include "query/cpu/plan_bitmaps.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// Collects the matches of `plan` among the documents of `range`, if looking candidates up costs
/// less than reading all lists, by windows; else returns false. Candidates are the documents of the
/// rarest clause, or those that pass the filter. `ids`: the numbers of the plan's terms in the
/// segment; `bitmaps`: its filter and predicates there. The answer is the same for each range of a
/// segment. Looks at `stop` once a tile of candidates: throws CancelledError.
bool search_candidates(const index::Segment& segment, const Plan& plan,
                       std::span<const index::TermId> ids, const PlanBitmaps& bitmaps,
                       DocidRange range, const std::stop_token& stop, Collector& collector);

}  // namespace gannet::query
