// Plans with required terms: the rarest one drives, the others are probed at its documents. Or a
// filter drives that few documents pass.
#pragma once

#include <span>
#include <stop_token>

#include "query/bounds/list_bitmaps.hpp"
#include "query/cpu/collector.hpp"
#include "query/cpu/plan_bitmaps.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// Collects the matches of `plan` among the documents of `range`. Needs plan.has_required(), or
/// filter_drives(). `ids`: the numbers of the plan's terms in the segment; `kept`: bitmaps of its
/// lists, only for a plan that wants no scores; `bitmaps`: its filter and predicates there. Looks
/// at `stop` once a tile of the rarest term: throws CancelledError.
void search_candidates(const index::Segment& segment, const Plan& plan,
                       std::span<const index::TermId> ids, const KeptLists& kept,
                       const PlanBitmaps& bitmaps, DocidRange range, const std::stop_token& stop,
                       Collector& collector);

/// Whether so few documents pass the plan's filter that looking each of them up in the lists costs
/// less than reading these.
bool filter_drives(const index::Segment& segment, const Plan& plan,
                   std::span<const index::TermId> ids, const KeptLists& kept,
                   const PlanBitmaps& bitmaps);

}  // namespace gannet::query
