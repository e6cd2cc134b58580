// What the lengths of lists say of a plan's matches, without a search.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "index/segment/live_documents.hpp"
#include "query/bounds/list_bitmaps.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// How many documents of a segment match a plan that wants no scores, as far as it is known without
/// searching: none, where terms are missing; all of them that are not deleted, where documents have
/// a term of an OR without exception; a single term's, less the deleted documents that have it.
/// `ids`: the numbers of the plan's terms in the segment; `counts`: postings of their lists;
/// `kept`: the bitmaps of its lists; `live`: null if no document is deleted. Where docids are
/// wanted it is nothing, unless there are none. Throws FormatError for a damaged list.
std::optional<std::uint64_t> known_matches(const index::Segment& segment, const Plan& plan,
                                           std::span<const index::TermId> ids,
                                           std::span<const std::uint32_t> counts,
                                           const KeptLists& kept, const index::LiveDocuments* live);

}  // namespace gannet::query
