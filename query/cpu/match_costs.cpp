#include "query/cpu/match_costs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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

/// A posting of several lists that drive together, in each of them: they are merged.
constexpr double kMergeCost = 6;

/// What a plan asks for in a segment.
class Asked {
 public:
  Asked(const index::Segment& segment, const Plan& plan, std::span<const index::TermId> ids,
        std::span<const std::uint32_t> counts, const KeptLists& kept)
      : documents_(static_cast<double>(segment.statistics().documents)),
        plan_(plan),
        ids_(ids),
        counts_(counts),
        kept_(kept) {
    for (std::size_t i = 0; i < plan.clauses().size(); ++i) {
      Clause& clause = clauses_.emplace_back(Clause{plan.clauses()[i]});
      for (const std::uint32_t term : clause.terms) {
        if (ids[term] == kNoTerm) continue;
        ++clause.lists;
        clause.postings += counts[term];
      }
    }
    std::ranges::stable_sort(clauses_, {}, &Clause::postings);
  }

  /// All lists are read.
  double read() const {
    const double words = kWordCost * documents_ / 64;
    double cost = words;
    for (const Node& node : plan_.expression()) {
      if (node.kind != Node::Kind::kTerm || ids_[node.operand] == kNoTerm) continue;
      cost += has_bitmap(node.operand) ? words : counts_[node.operand];
    }
    return cost;
  }

  /// The rarest clause drives, and `passing` documents pass. Not worth it where it is all of the
  /// plan, unless it is a single list.
  double drive(double passing) const {
    if (clauses_.empty()) return kNever;
    const Clause& driver = clauses_.front();
    if (plan_.disjunction() && driver.terms.size() > 1) return kNever;
    const double each =
        driver.lists == 1 ? kDriverCost : kMergeCost * static_cast<double>(driver.lists);
    return each * driver.postings + look_up(driver.postings * passing / documents_, 1);
  }

  /// The `passing` documents drive.
  double drive_by_filter(double passing) const {
    return passing < documents_ ? kDriverCost * passing + look_up(passing, 0) : kNever;
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();

  struct Clause {
    std::span<const std::uint32_t> terms;
    std::uint32_t lists = 0;
    double postings = 0;
  };

  bool has_bitmap(std::uint32_t term) const { return kept_.has(ids_[term], counts_[term]); }

  /// Looks `left` documents up in the lists as search_candidates() does: of clause `first` and the
  /// next ones, then of what they do not decide.
  double look_up(double left, std::size_t first) const {
    std::vector<bool> known(ids_.size(), false);
    double cost = 0;
    const auto ask = [&](std::uint32_t term) {
      if (!known[term]) cost += look_up(left, counts_[term], term);
      known[term] = true;
    };
    for (std::size_t i = 0; i < first; ++i) {
      for (const std::uint32_t term : clauses_[i].terms) known[term] = true;
    }
    for (const Clause& clause : std::span(clauses_).subspan(first)) {
      std::ranges::for_each(clause.terms, ask);
      // Words of a query come together more often than at random: the square root.
      left *= std::sqrt(std::min(1.0, clause.postings / documents_));
    }
    if (plan_.clauses_decide()) return cost;
    for (const Node& node : plan_.expression()) {
      if (node.kind == Node::Kind::kTerm) ask(node.operand);
    }
    return cost;
  }

  double look_up(double left, std::uint32_t count, std::uint32_t term) const {
    if (ids_[term] == kNoTerm) return 0;
    if (has_bitmap(term)) return kBitCost * left;
    return std::min(static_cast<double>(kLookUpCost) * left,
                    kDecodeCost * count + kStepCost * left);
  }

  double documents_;  ///< of the segment
  const Plan& plan_;
  std::span<const index::TermId> ids_;
  std::span<const std::uint32_t> counts_;
  const KeptLists& kept_;
  std::vector<Clause> clauses_ = {};  ///< rarest first
};

}  // namespace

MatchCosts::MatchCosts(const index::Segment& segment, const Plan& plan,
                       std::span<const index::TermId> ids, std::span<const std::uint32_t> counts,
                       const KeptLists& kept, std::uint64_t passing) {
  const Asked asked(segment, plan, ids, counts, kept);
  const auto pass = static_cast<double>(passing);
  bitmaps = asked.read();
  driven = asked.drive(pass);
  filtered = asked.drive_by_filter(pass);
}

}  // namespace gannet::query
