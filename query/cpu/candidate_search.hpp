// Plans with clauses: the rarest one drives, the others are probed at its documents. Or a filter
// drives that few documents pass.
#pragma once

#include <span>
#include <stop_token>

#include "query/bounds/list_bitmaps.hpp"
#include "query/cpu/candidate_driver.hpp"
#include "query/cpu/collector.hpp"
#include "query/cpu/plan_bitmaps.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// Collects the matches of `plan` among the documents of `range`. `ids`: the numbers of the plan's
/// terms in the segment; `kept`: bitmaps of its lists, only for a plan that wants no scores;
/// `bitmaps`: its filter and predicates there; `driver`: a clause, if the plan has any, or the
/// filter, if it has one. Looks at `stop` once a tile of candidates: throws CancelledError.
void search_candidates(const index::Segment& segment, const Plan& plan,
                       std::span<const index::TermId> ids, const KeptLists& kept,
                       const PlanBitmaps& bitmaps, Driver driver, DocidRange range,
                       const std::stop_token& stop, Collector& collector);

}  // namespace gannet::query
