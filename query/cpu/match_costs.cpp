#include "query/cpu/match_costs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "query/postings/posting_stream.hpp"

namespace gannet::query {
namespace {

/// A word of a bitmap that is read from end to end: vectors have four.
constexpr double kWordCost = 1.0 / 8;
/// A bit of a bitmap that is looked up.
constexpr double kBitCost = 2;
/// A posting of the list that drives: it is read, and kept with its place.
constexpr double kDriverCost = 2;
/// A document that is looked up in a list all of whose tiles are decoded, and these, by posting.
constexpr double kStepCost = 12;
constexpr double kDecodeCost = .4;

/// The required term with the fewest postings; the number of terms if there is none.
std::size_t rarest_required(const Plan& plan, std::span<const index::TermId> ids,
                            std::span<const std::uint32_t> counts) {
  std::size_t rarest = ids.size();
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!plan.terms()[i].required || ids[i] == kNoTerm) continue;
    if (rarest == ids.size() || counts[i] < counts[rarest]) rarest = i;
  }
  return rarest;
}

}  // namespace

MatchCosts::MatchCosts(const index::Segment& segment, const Plan& plan,
                       std::span<const index::TermId> ids, std::span<const std::uint32_t> counts,
                       const KeptLists& kept)
    : candidate(kDriverCost) {
  const auto documents = static_cast<double>(segment.statistics().documents);
  const double reading_words = kWordCost * documents / 64;
  const std::size_t driver = rarest_required(plan, ids, counts);
  double left = driver == ids.size() ? std::numeric_limits<double>::infinity() : counts[driver];
  bitmaps = reading_words;
  driven = kDriverCost * left;
  const auto look_up = [&](std::uint32_t term, double one, double all) {
    if (term == driver) return;
    driven += std::min(one * left, all + kStepCost * left);
    // Words of a query come together more often than at random: the square root.
    if (plan.terms()[term].required) left *= std::sqrt(counts[term] / documents);
  };
  for (const bool with_bitmap : {true, false}) {  // in the order of search_candidates()
    for (const Node& node : plan.expression()) {
      if (node.kind != Node::Kind::kTerm || ids[node.operand] == kNoTerm) continue;
      const std::uint32_t count = counts[node.operand];
      if (kept.has(ids[node.operand], count) != with_bitmap) continue;
      const double one = with_bitmap ? kBitCost : static_cast<double>(kLookUpCost);
      bitmaps += with_bitmap ? reading_words : count;
      candidate += one;
      look_up(node.operand, one, with_bitmap ? 0 : kDecodeCost * count);
    }
  }
}

}  // namespace gannet::query
