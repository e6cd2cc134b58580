#include "query/cpu/candidate_driver.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "query/cpu/match_costs.hpp"
#include "query/postings/posting_stream.hpp"

namespace gannet::query {
namespace {

/// What looking a candidate up in another list costs, where many are looked up, in postings that a
/// window search reads; and how many documents cost a window search as much as a posting.
constexpr std::uint64_t kDenseLookUpCost = 2;
constexpr std::uint64_t kDocumentsAsPosting = 16;

/// The lists of a plan in a segment.
struct ListLengths {
  ListLengths(const index::Segment& segment, std::span<const index::TermId> ids) {
    for (const index::TermId id : ids) {
      lengths.push_back(id == kNoTerm ? 0 : segment.document_frequency(id));
      lists += id == kNoTerm ? 0 : 1;
      postings += lengths.back();
    }
  }
  /// Postings of the clause that has the fewest; more than there can be if there is no clause.
  std::uint64_t rarest(const Clauses& clauses) const {
    std::uint64_t rarest = ~std::uint64_t{0};
    for (std::size_t i = 0; i < clauses.size(); ++i) {
      std::uint64_t sum = 0;
      for (const std::uint32_t term : clauses[i]) sum += lengths[term];
      rarest = std::min(rarest, sum);
    }
    return rarest;
  }
  std::vector<std::uint32_t> lengths = {};  ///< by term
  std::uint64_t lists = 0;
  std::uint64_t postings = 0;
};

/// Whether documents of the rarest clause are fewer than it takes to read all lists.
bool clause_drives(const index::Segment& segment, const Plan& plan, const ListLengths& lists) {
  // Of a single term all postings are wanted.
  if (plan.disjunction()) return false;
  if (plan.has_required()) return true;
  const std::uint64_t rarest = lists.rarest(plan.clauses());
  if (rarest > lists.postings) return false;
  std::uint64_t looked_up = 0;
  for (const std::uint64_t length : lists.lengths) looked_up += std::min(length, rarest);
  return looked_up * kDenseLookUpCost <
         lists.postings + segment.statistics().documents / kDocumentsAsPosting;
}

/// Whether so few documents pass the plan's filter that looking each of them up costs less than
/// anything else.
bool filter_drives(const index::Segment& segment, const Plan& plan, const PlanBitmaps& bitmaps,
                   const ListLengths& lists) {
  // A clause drives as well, and is not looked up then.
  if (clause_drives(segment, plan, lists))
    return bitmaps.passing() * 2 < lists.rarest(plan.clauses());
  return bitmaps.passing() * lists.lists * kLookUpCost < lists.postings + bitmaps.documents() / 64;
}

}  // namespace

Driver ranked_driver(const index::Segment& segment, const Plan& plan,
                     std::span<const index::TermId> ids, const PlanBitmaps& bitmaps) {
  const bool filters = bitmaps.filters();
  if (plan.disjunction() && !filters) return Driver::kNone;
  if (plan.has_required() && !filters) return Driver::kClause;
  const ListLengths lists(segment, ids);
  if (filters && filter_drives(segment, plan, bitmaps, lists)) return Driver::kFilter;
  return clause_drives(segment, plan, lists) ? Driver::kClause : Driver::kNone;
}

Driver match_driver(const index::Segment& segment, const Plan& plan,
                    std::span<const index::TermId> ids, const KeptLists& kept,
                    const PlanBitmaps& bitmaps) {
  std::optional<std::uint64_t> passing;
  if (bitmaps.filters()) passing = bitmaps.passing();
  const ListLengths lists(segment, ids);
  const MatchCosts costs(segment, plan, ids, lists.lengths, kept, passing);
  if (costs.filtered < std::min(costs.bitmaps, costs.driven)) return Driver::kFilter;
  return costs.driven < costs.bitmaps ? Driver::kClause : Driver::kNone;
}

}  // namespace gannet::query
