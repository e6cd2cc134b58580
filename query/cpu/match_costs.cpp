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

/// A clause of a plan in a segment.
struct ClauseLists {
  std::span<const std::uint32_t> terms;
  std::uint32_t lists = 0;
  double postings = 0;
};

/// What a plan asks for in a segment.
class Asked {
 public:
  Asked(const index::Segment& segment, const Plan& plan, std::span<const index::TermId> ids,
        std::span<const std::uint32_t> counts, const KeptLists& kept)
      : documents_(static_cast<double>(segment.statistics().documents)),
        plan_(plan),
        ids_(ids),
        counts_(counts),
        kept_(kept) {}

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

  /// Whether the rarest clause can drive: where it is all of the plan, reading its lists costs less
  /// than merging them.
  bool can_drive() const {
    if (plan_.clauses().empty()) return false;
    return !plan_.disjunction() || plan_.clauses()[0].size() == 1;
  }

  /// The plan's clauses in the segment, the rarest first.
  std::vector<ClauseLists> clauses() const {
    std::vector<ClauseLists> made(plan_.clauses().size());
    for (std::size_t i = 0; i < made.size(); ++i) {
      made[i].terms = plan_.clauses()[i];
      for (const std::uint32_t term : made[i].terms) {
        if (ids_[term] == kNoTerm) continue;
        ++made[i].lists;
        made[i].postings += counts_[term];
      }
    }
    std::ranges::stable_sort(made, {}, &ClauseLists::postings);
    return made;
  }

  /// The rarest clause drives, and `passing` documents pass. Needs can_drive().
  double drive(const std::vector<ClauseLists>& clauses, double passing) const {
    const ClauseLists& driver = clauses.front();
    const double each = kDriverCost * driver.lists;  // lists are merged posting by posting
    return each * driver.postings + look_up(clauses, 1, driver.postings * passing / documents_);
  }

  /// The `passing` documents drive.
  double drive_by_filter(const std::vector<ClauseLists>& clauses, double passing) const {
    return kDriverCost * passing + look_up(clauses, 0, passing);
  }

  /// How many documents match.
  double matches(const std::vector<ClauseLists>& clauses) const {
    if (clauses.empty()) return documents_;
    double left = std::min(documents_, clauses.front().postings);
    for (const ClauseLists& clause : std::span(clauses).subspan(1)) left *= share_of_next(clause);
    return left;
  }

 private:
  /// Of documents that have rarer words of a query. Words of a query come together more often than
  /// at random: the square root.
  double share_of_next(const ClauseLists& clause) const {
    return std::sqrt(std::min(1.0, clause.postings / documents_));
  }

  bool has_bitmap(std::uint32_t term) const { return kept_.has(ids_[term], counts_[term]); }

  /// Looks `left` documents up in the lists as search_candidates() does: of clause `first` and the
  /// next ones, then of what they do not decide.
  double look_up(const std::vector<ClauseLists>& clauses, std::size_t first, double left) const {
    std::vector<bool> known(ids_.size(), false);
    double cost = 0;
    const auto ask = [&](std::uint32_t term) {
      if (!known[term]) cost += look_up(term, left);
      known[term] = true;
    };
    for (std::size_t i = 0; i < first; ++i) {
      for (const std::uint32_t term : clauses[i].terms) known[term] = true;
    }
    for (const ClauseLists& clause : std::span(clauses).subspan(first)) {
      std::ranges::for_each(clause.terms, ask);
      left *= share_of_next(clause);
    }
    if (plan_.clauses_decide()) return cost;
    for (const Node& node : plan_.expression()) {
      if (node.kind == Node::Kind::kTerm) ask(node.operand);
    }
    return cost;
  }

  double look_up(std::uint32_t term, double left) const {
    if (ids_[term] == kNoTerm) return 0;
    if (has_bitmap(term)) return kBitCost * left;
    return std::min(static_cast<double>(kLookUpCost) * left,
                    kDecodeCost * counts_[term] + kStepCost * left);
  }

  double documents_;  ///< of the segment
  const Plan& plan_;
  std::span<const index::TermId> ids_;
  std::span<const std::uint32_t> counts_;
  const KeptLists& kept_;
};

}  // namespace

MatchCosts::MatchCosts(const index::Segment& segment, const Plan& plan,
                       std::span<const index::TermId> ids, std::span<const std::uint32_t> counts,
                       const KeptLists& kept, std::optional<std::uint64_t> passing) {
  const Asked asked(segment, plan, ids, counts, kept);
  bitmaps = asked.read();
  driven = filtered = matches = std::numeric_limits<double>::infinity();
  if (!passing && !asked.can_drive()) return;
  const std::vector<ClauseLists> clauses = asked.clauses();
  const auto pass = static_cast<double>(passing.value_or(segment.statistics().documents));
  if (passing) {
    filtered = asked.drive_by_filter(clauses, pass);
    matches = asked.matches(clauses);
  }
  if (asked.can_drive()) driven = asked.drive(clauses, pass);
}

}  // namespace gannet::query
