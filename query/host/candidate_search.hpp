// Plans with required terms: the rarest one drives, the others are probed at its documents.
#pragma once

#include <span>
#include <stop_token>

#include "query/host/collector.hpp"
#include "query/plan.hpp"

namespace gannet::query {

/// Collects the matches of `plan` among the documents of `range`. Needs plan.has_required().
/// `ids`: the numbers of the plan's terms in the segment. Looks at `stop` once a tile of the rarest
/// term: throws CancelledError.
void search_candidates(const index::Segment& segment, const Plan& plan,
                       std::span<const index::TermId> ids, DocidRange range,
                       const std::stop_token& stop, Collector& collector);

}  // namespace gannet::query
