// What finding the matches of a plan costs, by one way and by another.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "query/bounds/list_bitmaps.hpp"
#include "query/plan/plan.hpp"
#include "query/plan/term_binding.hpp"

namespace gannet::query {

/// Of a plan that wants no scores, in a segment, in postings of a list that is read from end to
/// end.
struct MatchCosts {
  /// `ids`: the numbers of the plan's terms in the segment; `counts`: postings of their lists, any
  /// number for a term that the segment has not; `kept`: the bitmaps of its lists; `passing`:
  /// documents that pass the filter; nothing without one.
  MatchCosts(const index::Segment& segment, const Plan& plan, std::span<const index::TermId> ids,
             std::span<const std::uint32_t> counts, const KeptLists& kept,
             std::optional<std::uint64_t> passing);

  double bitmaps;   ///< search_bitmaps()
  double driven;    ///< search_candidates(), driven by a clause; infinite if none can
  double filtered;  ///< search_candidates(), driven by the documents that pass; infinite without a
                    ///< filter
  /// Documents that match, estimated, whether they pass or not; infinite without a filter.
  double matches;
};

}  // namespace gannet::query
