// Plans with required terms: the rarest one drives, the others are probed at its documents.
#pragma once

#include "query/host/collector.hpp"

namespace gannet::query {

/// Whether every match has a certain term, so that search_candidates() can run the plan.
bool has_driver(const Plan& plan);

/// Collects the matches of `plan` among the documents of `range`. Needs has_driver(plan).
void search_candidates(const index::Segment& segment, const Plan& plan, DocidRange range,
                       Collector& collector);

}  // namespace gannet::query
