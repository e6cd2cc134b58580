#include "query/host/pruned/pruned_search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "codecs/core/cancellation.hpp"
#include "query/host/pruned/range_search.hpp"
#include "query/host/pruned/score_scale.hpp"
#include "query/language/expression.hpp"

namespace gannet::query {
namespace {

/// Ranges of the first wave, for small and for large k. Measured with one thread on 603,283
/// passages.
constexpr std::uint32_t kSmallK = 32;
constexpr std::uint32_t kFirstWaveSmall = 24;
constexpr std::uint32_t kFirstWaveLarge = 192;
/// Ranges whose sums are made together: they stay in the first cache.
constexpr std::uint32_t kSweep = 4096;
constexpr std::uint32_t kRangesPerLook = 256;
/// How much a contribution can be above or below its weight times the contribution at weight 1,
/// by rounding: what scorers promise, and more.
constexpr double kWeightMargin = 4e-6;
/// Sums of bounds beyond these are not pruned by: they would leave what float32 can scale.
constexpr double kLeastSum = 1e-25;
constexpr double kLargestSum = 1e30;

class PrunedSearch {
 public:
  PrunedSearch(const PrunedPlace& place, const Plan& plan, const std::stop_token& stop,
               PrunedWorkspace& workspace)
      : place_(place),
        plan_(plan),
        stop_(stop),
        workspace_(workspace),
        first_(place.range.begin / kRange),
        ranges_((place.range.end - place.range.begin + kRange - 1) / kRange) {}

  /// Reads the lists. False if the bounds are no good; nothing_matches() is known then.
  bool prepare(std::span<const index::TermId> ids) {
    scored_.clear();
    others_.clear();
    by_number_.assign(ids.size(), nullptr);
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (!wanted(i)) continue;
      if (ids[i] != kNoTerm) {
        if (!add_term(i, ids[i])) return false;
      } else if (plan_.terms()[i].required) {
        impossible_ = true;
      }
    }
    double sum = 0;
    for (const PrunedTerm* term : scored_) sum += term->largest;
    if (sum == 0) impossible_ = true;
    if (sum != 0 && !(sum >= kLeastSum && sum <= kLargestSum)) return false;
    if (scored_.size() > ScoreScale::kMaxTerms) return false;
    in_plan_order_ = scored_;
    sort_terms();
    return true;
  }

  bool impossible() const { return impossible_; }

  void run(std::atomic<std::uint32_t>& floor, Collector& collector) {
    const ScoreScale scale(scored_);
    for (PrunedTerm* term : scored_) {
      if (term->bounds == nullptr) term->decoded.quantise(scale.scale());
    }
    // What single lists reach, they may reach in documents that do not pass the filter.
    const bool known = plan_.disjunction() && !place_.bitmaps.filters();
    const float start = std::max(std::bit_cast<float>(floor.load(std::memory_order_relaxed)),
                                 known ? reached_by_one_list() : 0.0f);
    workspace_.top.reset(plan_.k(), start, scale.ceiling());
    RangeSearch search(place_, plan_, {scored_, others_, in_plan_order_, by_number_}, scale,
                       workspace_.top, collector.base, floor);
    sweep(search);
    collector.ranked = workspace_.top.take();
    count(search, collector);
  }

 private:
  /// Terms that neither decide nor score are not in the expression, nor worth reading.
  bool wanted(std::size_t number) const {
    return plan_.terms()[number].scored() ||
           std::ranges::any_of(plan_.expression(), [&](const Node& node) {
             return node.kind == Node::Kind::kTerm && node.operand == number;
           });
  }

  bool add_term(std::size_t number, index::TermId id) {
    PrunedTerm& term = next_term();
    const PlanTerm& plan_term = plan_.terms()[number];
    term.number = static_cast<std::uint32_t>(number);
    term.contribution = Contribution(plan_, plan_term);
    term.lengths = place_.segment.text_lengths(plan_term.field).data();
    term.required = plan_term.required;
    term.scored = plan_term.scored();
    term.bounds = place_.bounds.find(id);
    if (!read_list(term, id)) return false;
    by_number_[number] = &term;
    (term.scored ? scored_ : others_).push_back(&term);
    return true;
  }

  PrunedTerm& next_term() {
    auto& terms = workspace_.terms;
    if (used_ == terms.size()) terms.push_back(std::make_unique<PrunedTerm>());
    return *terms[used_++];
  }

  bool read_list(PrunedTerm& term, index::TermId id) const {
    if (term.bounds == nullptr) {
      const index::PostingList list = place_.segment.list(id);
      term.count = list.count;
      term.decoded.read(place_.segment, list, place_.range,
                        term.scored ? &term.contribution : nullptr);
      term.largest = term.decoded.largest();
      return true;
    }
    term.count = term.bounds->list.count;
    term.dense = DenseList(*term.bounds);
    const double weight = term.contribution.weight();
    term.largest = weight * term.bounds->largest * (1 + kWeightMargin);
    return !term.scored || (term.bounds->unit.proportional_to(term.contribution) &&
                            std::isnormal(term.bounds->largest));
  }

  /// Required terms narrow what is possible, the rarest first; then those that can add most.
  void sort_terms() {
    std::ranges::stable_sort(scored_, [](const PrunedTerm* a, const PrunedTerm* b) {
      if (a->required != b->required) return a->required;
      return a->required ? a->count < b->count : a->largest > b->largest;
    });
  }
  /// k documents have at least this score, by what is stored of single lists.
  float reached_by_one_list() const {
    double reached = 0;
    for (const PrunedTerm* term : scored_) {
      if (term->bounds == nullptr) continue;
      const double unit = term->bounds->reached_by(plan_.k());
      reached = std::max(reached, unit * term->contribution.weight() * (1 - kWeightMargin));
    }
    return static_cast<float>(reached * (1 - kWeightMargin));
  }

  void sweep(RangeSearch& search) {
    add_up();
    std::vector<std::uint32_t>& ranges = workspace_.ranges;
    ranges.resize(ranges_ + kRange);
    std::uint32_t found = collect(search.limit(), ranges);
    if (first_wave(std::span(ranges).first(found), search)) found = collect(search.limit(), ranges);
    rewind();
    for (const std::uint32_t range : std::span(ranges).first(found)) visit_if_due(range, search);
  }

  void add_up() {
    std::vector<std::uint16_t>& sums = workspace_.sums;
    sums.resize(padded());
    for (std::uint32_t begin = 0; begin < padded(); begin += kSweep) {
      const std::uint32_t n = std::min(kSweep, padded() - begin);
      std::fill_n(sums.begin() + begin, n, std::uint16_t{0});
      for (const PrunedTerm* term : scored_) {
        if (term->bounds == nullptr) continue;
        place_.kernels.add_codes(term->bounds->codes.data() + first_ + begin, term->weight, n,
                                 sums.data() + begin);
      }
    }
    add_decoded();
    for (const PrunedTerm* term : scored_) {
      if (!term->required || term->bounds == nullptr) continue;
      place_.kernels.drop_absent(term->bounds->codes.data() + first_, padded(), sums.data());
    }
    if (place_.bitmaps.filters()) drop_filtered();
  }

  /// Ranges without a document that passes the filter have no sum, so that they are never visited.
  void drop_filtered() {
    for (std::uint32_t i = 0; i < ranges_; ++i) {
      if (place_.bitmaps.word(first_ + i) == 0) workspace_.sums[i] = 0;
    }
  }

  /// Adds the lists without bounds, and marks the ranges where they have postings.
  void add_decoded() {
    std::uint16_t* const sums = workspace_.sums.data();
    workspace_.flags.assign(padded(), 0);
    std::uint8_t* const flags = workspace_.flags.data();
    std::uint32_t flag = 1;
    for (PrunedTerm* term : scored_) {
      if (term->bounds != nullptr) continue;
      term->flag = static_cast<std::uint8_t>(flag);
      flag = std::min(2 * flag, 0x80u);
      const std::uint8_t own = term->flag;
      term->decoded.for_each_range([&](std::uint32_t range, std::uint32_t code) {
        const std::uint32_t i = range - first_;
        sums[i] = static_cast<std::uint16_t>(sums[i] + code);
        flags[i] = static_cast<std::uint8_t>(flags[i] | own);
      });
    }
  }

  /// Vectors are full: codes go on behind the range, with what is not searched or with zeros.
  std::uint32_t padded() const { return (ranges_ + kRange - 1) / kRange * kRange; }

  std::uint32_t collect(std::uint32_t limit, std::vector<std::uint32_t>& out) {
    out.resize(padded());
    std::vector<std::uint16_t>& sums = workspace_.sums;
    std::fill(sums.begin() + ranges_, sums.end(), std::uint16_t{0});
    return place_.kernels.collect(sums.data(), padded(), static_cast<std::uint16_t>(limit), first_,
                                  out.data());
  }

  /// Searches the ranges with the largest sums. False if there is no point in it.
  bool first_wave(std::span<const std::uint32_t> ranges, RangeSearch& search) {
    const std::uint32_t size = plan_.k() <= kSmallK ? kFirstWaveSmall : kFirstWaveLarge;
    if (ranges.size() <= 2 * size) return false;
    const std::uint32_t least = sum_of_best(ranges, size);
    std::vector<std::uint32_t>& wave = workspace_.first_wave;
    wave.clear();
    for (const std::uint32_t range : ranges) {
      if (workspace_.sums[range - first_] >= least) wave.push_back(range);
    }
    if (wave.size() > 4 * size) return false;  // they are all alike
    rewind();
    for (const std::uint32_t range : wave) visit_if_due(range, search);
    for (const std::uint32_t range : wave) workspace_.sums[range - first_] = 0;
    return true;
  }

  /// A sum that at least `size` of the ranges reach, and not many more.
  std::uint32_t sum_of_best(std::span<const std::uint32_t> ranges, std::uint32_t size) const {
    constexpr std::uint32_t kShift = 6;
    std::array<std::uint32_t, (1u << (16 - kShift))> bins{};
    for (const std::uint32_t range : ranges) ++bins[workspace_.sums[range - first_] >> kShift];
    auto bin = static_cast<std::uint32_t>(bins.size());
    for (std::uint32_t n = 0; bin > 0 && n < size;) n += bins[--bin];
    return bin << kShift;
  }

  void visit_if_due(std::uint32_t range, RangeSearch& search) {
    look_at_stop();
    const std::uint32_t i = range - first_;
    const std::uint32_t sum = workspace_.sums[i];
    if (sum >= search.limit()) search.visit(range, sum, workspace_.flags[i]);
  }

  void look_at_stop() {
    if (++steps_ % kRangesPerLook == 0) throw_if_stopped(stop_);
  }

  void rewind() {
    for (std::size_t i = 0; i < used_; ++i) workspace_.terms[i]->decoded.rewind();
  }

  void count(const RangeSearch& search, Collector& collector) {
    collector.ranges_total += ranges_;
    collector.ranges_searched += search.ranges();
    collector.documents_scored += search.documents();
    for (std::size_t i = 0; i < used_; ++i) {
      PrunedTerm& term = *workspace_.terms[i];
      collector.tiles_decoded +=
          term.bounds != nullptr ? term.dense.take_tiles_decoded() : term.decoded.tiles_decoded();
    }
  }

  const PrunedPlace& place_;
  const Plan& plan_;
  const std::stop_token& stop_;
  PrunedWorkspace& workspace_;
  const std::uint32_t first_;   ///< of the ranges that are searched
  const std::uint32_t ranges_;  ///< how many these are
  std::size_t used_ = 0;        ///< terms of the workspace
  std::vector<PrunedTerm*>& scored_ = workspace_.scored;
  std::vector<PrunedTerm*>& others_ = workspace_.others;
  std::vector<PrunedTerm*>& in_plan_order_ = workspace_.in_plan_order;
  std::vector<PrunedTerm*>& by_number_ = workspace_.by_number;
  bool impossible_ = false;
  std::uint32_t steps_ = 0;
};

}  // namespace

bool can_prune(const Plan& plan) {
  if (plan.want() != Want::kTopK || plan.expression().empty() || !plan.words().empty())
    return false;
  if (plan.disjunction() || plan.conjunction()) return true;
  // Terms without a score may be there or not, each by itself.
  return !can_hold(plan.expression(), [&](std::uint32_t term) {
    return plan.terms()[term].scored() ? PossibleStack::kFalse : PossibleStack::kEither;
  });
}

bool search_pruned(const PrunedPlace& place, const Plan& plan, std::span<const index::TermId> ids,
                   const std::stop_token& stop, std::atomic<std::uint32_t>& floor,
                   PrunedWorkspace& workspace, Collector& collector) {
  PrunedSearch search(place, plan, stop, workspace);
  if (!search.prepare(ids)) return false;
  if (!search.impossible()) search.run(floor, collector);
  return true;
}

}  // namespace gannet::query
