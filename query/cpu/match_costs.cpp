#include "query/cpu/match_costs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "query/postings/posting_stream.hpp"

namespace gannet::query {
namespace {

/// A word of a bitmap that is read from end to end: vectors have four, but it comes from a far
/// cache.
constexpr double kWordCost = 1.0 / 3;
/// A bit of a bitmap that is looked up: where bitmaps are large, it comes from a farther cache.
constexpr double kBitCost = 4;
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

/// What a plan asks for in a segment.
struct Asked {
  const Plan& plan;
  std::span<const index::TermId> ids;
  std::span<const std::uint32_t> counts;
  const KeptLists& kept;
  double documents;

  /// Calls visit(term, with_bitmap) for each term of the expression that the segment has: about in
  /// the order in which search_candidates() looks them up, for lists with bitmaps are long.
  template <class Visit>
  void for_each_term(Visit visit) const {
    for (const bool with_bitmap : {false, true}) {
      for (const Node& node : plan.expression()) {
        const std::uint32_t term = node.operand;
        if (node.kind != Node::Kind::kTerm || ids[term] == kNoTerm) continue;
        if (kept.has(ids[term], counts[term]) == with_bitmap) visit(term, with_bitmap);
      }
    }
  }

  /// Looks documents up in all lists but one.
  double look_up(double left, std::size_t driver) const {
    double cost = 0;
    for_each_term([&](std::uint32_t term, bool with_bitmap) {
      if (term == driver) return;
      const double all = kDecodeCost * counts[term] + kStepCost * left;
      cost +=
          with_bitmap ? kBitCost * left : std::min(static_cast<double>(kLookUpCost) * left, all);
      // Words of a query come together more often than at random: the square root.
      if (plan.terms()[term].required) left *= std::sqrt(counts[term] / documents);
    });
    return cost;
  }
};

}  // namespace

MatchCosts::MatchCosts(const index::Segment& segment, const Plan& plan,
                       std::span<const index::TermId> ids, std::span<const std::uint32_t> counts,
                       const KeptLists& kept, std::uint64_t passing) {
  const auto documents = static_cast<double>(segment.statistics().documents);
  const auto pass = static_cast<double>(passing);
  const Asked asked{plan, ids, counts, kept, documents};
  const double reading_words = kWordCost * documents / 64;
  bitmaps = reading_words;
  asked.for_each_term([&](std::uint32_t term, bool with_bitmap) {
    bitmaps += with_bitmap ? reading_words : counts[term];
  });
  filtered = driven = std::numeric_limits<double>::infinity();
  if (pass < documents) filtered = kDriverCost * pass + asked.look_up(pass, ids.size());
  const std::size_t driver = rarest_required(plan, ids, counts);
  if (driver == ids.size()) return;
  const double postings = counts[driver];
  driven = kDriverCost * postings + asked.look_up(postings * pass / documents, driver);
}

}  // namespace gannet::query
