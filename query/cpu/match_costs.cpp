#include "query/cpu/match_costs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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

/// A posting of several lists that drive together, in each of them: they are merged.
constexpr double kMergeCost = 6;

/// The lists of a plan in a segment.
struct Lists {
  bool has_bitmap(std::uint32_t term) const { return kept.has(ids[term], counts[term]); }

  std::span<const index::TermId> ids;
  std::span<const std::uint32_t> counts;
  const KeptLists& kept;
  double documents;  ///< of the segment
};

/// A clause of a plan in a segment.
struct ClauseLists {
  std::span<const std::uint32_t> terms;
  std::uint64_t count = 0;  ///< postings
};

/// The cost of search_candidates(), driven by a clause: of the lists as it comes to them.
class DrivenCost {
 public:
  DrivenCost(const Plan& plan, const Lists& lists)
      : lists_(lists), asked_(lists.ids.size(), false) {
    std::vector<ClauseLists> clauses = clauses_of(plan);
    std::ranges::stable_sort(clauses, {}, &ClauseLists::count);
    drive(clauses.front());
    for (const ClauseLists& clause : std::span(clauses).subspan(1)) {
      for (const std::uint32_t term : clause.terms) look_up(term);
      // Words of a query come together more often than at random: the square root.
      left_ *= std::sqrt(std::min(1.0, static_cast<double>(clause.count) / lists.documents));
    }
    if (plan.clauses_decide()) return;
    for (const Node& node : plan.expression()) {
      if (node.kind == Node::Kind::kTerm) look_up(node.operand);
    }
  }

  double cost() const { return cost_; }

 private:
  std::vector<ClauseLists> clauses_of(const Plan& plan) const {
    std::vector<ClauseLists> clauses(plan.clauses().size());
    for (std::size_t i = 0; i < clauses.size(); ++i) {
      clauses[i].terms = plan.clauses()[i];
      for (const std::uint32_t term : clauses[i].terms) {
        if (lists_.ids[term] == kNoTerm) continue;
        clauses[i].count += lists_.counts[term];
      }
    }
    return clauses;
  }

  void drive(const ClauseLists& driver) {
    std::size_t lists = 0;
    for (const std::uint32_t term : driver.terms) {
      asked_[term] = true;
      lists += lists_.ids[term] == kNoTerm ? 0 : 1;
    }
    left_ = static_cast<double>(driver.count);
    cost_ = left_ * (lists == 1 ? kDriverCost : kMergeCost * static_cast<double>(lists));
  }

  /// Looks what is left up in the list of a term.
  void look_up(std::uint32_t term) {
    if (asked_[term] || lists_.ids[term] == kNoTerm) return;
    asked_[term] = true;
    if (lists_.has_bitmap(term)) {
      cost_ += kBitCost * left_;
    } else {
      cost_ += std::min(static_cast<double>(kLookUpCost) * left_,
                        kDecodeCost * lists_.counts[term] + kStepCost * left_);
    }
  }

  const Lists& lists_;
  std::vector<bool> asked_;  ///< by term
  double left_ = 0;          ///< candidates
  double cost_ = 0;
};

/// Whether the rarest clause can cost less than reading all lists: not if it is all of the plan.
bool clauses_may_drive(const Plan& plan) {
  if (plan.clauses().empty()) return false;
  return !plan.disjunction() || plan.clauses()[0].size() == 1;
}

}  // namespace

MatchCosts::MatchCosts(const index::Segment& segment, const Plan& plan,
                       std::span<const index::TermId> ids, std::span<const std::uint32_t> counts,
                       const KeptLists& kept)
    : driven(std::numeric_limits<double>::infinity()), candidate(kDriverCost) {
  const auto documents = static_cast<double>(segment.statistics().documents);
  const double reading_words = kWordCost * documents / 64;
  const Lists lists{ids, counts, kept, documents};
  bitmaps = reading_words;
  for (const Node& node : plan.expression()) {
    if (node.kind != Node::Kind::kTerm || ids[node.operand] == kNoTerm) continue;
    const bool has_bitmap = lists.has_bitmap(node.operand);
    bitmaps += has_bitmap ? reading_words : counts[node.operand];
    candidate += has_bitmap ? kBitCost : static_cast<double>(kLookUpCost);
  }
  if (clauses_may_drive(plan)) driven = DrivenCost(plan, lists).cost();
}

}  // namespace gannet::query
