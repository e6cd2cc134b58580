// Where the candidates of a search come from, which are looked up in the other lists.
#pragma once

#include <cstdint>
#include <span>

#include "query/bounds/list_bitmaps.hpp"
#include "query/cpu/plan_bitmaps.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

enum class Driver : std::uint8_t {
  kNone,    ///< reading all lists costs less
  kClause,  ///< the documents of the rarest clause
  kFilter,  ///< the documents that pass the filter
};

/// What of a ranked plan costs least; kNone: windows. The answer is the same for each range of a
/// segment. `ids`: the numbers of the plan's terms there; `bitmaps`: its filter.
Driver ranked_driver(const index::Segment& segment, const Plan& plan,
                     std::span<const index::TermId> ids, const PlanBitmaps& bitmaps);

/// The same of a plan that wants no scores (match_costs.hpp); kNone: bitmaps. `kept`: those of
/// lists.
Driver match_driver(const index::Segment& segment, const Plan& plan,
                    std::span<const index::TermId> ids, const KeptLists& kept,
                    const PlanBitmaps& bitmaps);

}  // namespace gannet::query
