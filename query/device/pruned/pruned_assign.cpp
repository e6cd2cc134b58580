#include "query/device/pruned/pruned_assign.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "query/bounds/list_bounds.hpp"
#include "query/device/pruned/kernels/unit_memory.hpp"
#include "query/device/pruned/pruned_scale.hpp"
#include "query/device/pruned/tuning.hpp"
#include "query/host/pruned/pruned_search.hpp"

namespace gannet::query::cuda {
namespace {

/// How much a contribution can be above or below its weight times the contribution at weight 1, by
/// rounding: what scorers promise, and more.
constexpr double kWeightMargin = 4e-6;
/// Sums of bounds outside of these are not pruned by: they would leave what float32 can scale.
constexpr double kLeastSum = 1e-25;
constexpr double kMostSum = 1e30;

/// A term that the segment has.
struct Present {
  std::size_t number;  ///< in the plan
  index::TermId id;
};

/// Calls f(i, term) for the terms that the segment has.
template <class F>
void for_each_present(const SegmentPlan& bound, F f) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < bound.ids.size(); ++i) {
    if (bound.ids[i] != kNoTerm) f(count++, Present{i, bound.ids[i]});
  }
}

class PlanAdder {
 public:
  PlanAdder(const SegmentPlan& bound, PrunedBatch& batch)
      : bound_(bound), plan_(*bound.plan), batch_(batch) {}

  void add(const ScaledPlan& scaled, std::span<const PrunedTerm> terms) {
    query_.first_term = static_cast<std::uint32_t>(batch_.terms.size());
    query_.first_row = static_cast<std::uint32_t>(batch_.rows.size());
    query_.first_short = static_cast<std::uint32_t>(batch_.shorts.size());
    for (const PrunedTerm& term : terms) add_term(term);
    query_.terms = static_cast<std::uint32_t>(terms.size());
    query_.rows = static_cast<std::uint32_t>(batch_.rows.size()) - query_.first_row;
    query_.shorts = static_cast<std::uint32_t>(batch_.shorts.size()) - query_.first_short;
    set_match();
    query_.scoring = plan_.constants();
    query_.scale = scaled.scale;
    query_.start = scaled.start;
    query_.slots = slots_of(query_.terms);
    set_finalists();
    batch_.max_terms = std::max(batch_.max_terms, query_.terms);
    batch_.queries.push_back(query_);
  }

 private:
  void add_term(PrunedTerm term) {
    postings_ += term.count;
    if (term.row.codes == nullptr) {
      add_short_list(term);
    } else if (term.weight != 0) {
      batch_.rows.push_back({term.row.codes, term.weight, term.required});
    }
    batch_.terms.push_back(term);
  }

  void add_short_list(PrunedTerm& term) {
    const auto number = static_cast<std::uint32_t>(batch_.shorts.size()) - query_.first_short;
    if (term.required != 0 && term.weight != 0) query_.required_shorts |= 1u << number;
    term.first_chunk = batch_.chunk_pointers;
    batch_.chunk_pointers += codecs::ceil_div(batch_.documents, kChunkDocuments) + 1;
    term.first_group =
        batch_.short_tiles * kGroupsPerTile + static_cast<std::uint32_t>(batch_.shorts.size());
    const std::uint32_t tiles = codecs::tile_count(term.count);
    batch_.shorts.push_back({static_cast<std::uint32_t>(batch_.queries.size()),
                             static_cast<std::uint32_t>(batch_.terms.size()), batch_.short_tiles,
                             tiles, term.first_chunk});
    batch_.short_tiles += tiles;
  }

  void set_match() {
    query_.match = plan_.disjunction()   ? Match::kAny
                   : plan_.conjunction() ? Match::kAll
                                         : Match::kExpression;
    query_.first_node = static_cast<std::uint32_t>(batch_.nodes.size());
    if (query_.match != Match::kExpression) return;
    append_nodes(bound_, batch_.nodes);
    query_.nodes = static_cast<std::uint32_t>(batch_.nodes.size()) - query_.first_node;
  }

  void set_finalists() {
    query_.k = largest_k(plan_, batch_.documents, postings_);
    const std::uint64_t room = std::max<std::uint64_t>(
        tuning::kLeastFinalists, std::uint64_t{query_.k} * tuning::kFinalistsPerHit);
    query_.capacity = static_cast<std::uint32_t>(std::min(room, postings_));
    query_.first_finalist = batch_.finalists;
    batch_.finalists += query_.capacity;
    batch_.selections.push_back({query_.first_finalist, query_.capacity, query_.k});
    batch_.stride = std::max(batch_.stride, query_.k);
    batch_.wave_size = std::max(batch_.wave_size, tuning::first_wave_of(query_.k));
  }

  const SegmentPlan& bound_;
  const Plan& plan_;
  PrunedBatch& batch_;
  PrunedQuery query_{};
  std::uint64_t postings_ = 0;
};

PrunedTerm pruned_term(const PlanTerm& term, const KnownList& known, const DeviceList& list) {
  PrunedTerm made{};
  made.docid_words = list.first_word;
  made.freq_words = list.first_word + list.docid_words;
  made.first_tile = list.first_tile;
  made.row = known.row;
  made.count = list.count;
  made.required = term.required ? 1 : 0;
  made.constants = term.constants;
  return made;
}

/// k documents have at least this score, by what is known of single lists.
float reached_by_one_list(const KnownPlan& known) {
  const Plan& plan = *known.plan.plan;
  double reached = 0;
  for_each_present(known.plan, [&](std::size_t i, Present term) {
    const double unit = reached_by(known.lists[i]->at_rank, plan.k());
    reached = std::max(reached, unit * plan.terms()[term.number].weight);
  });
  return static_cast<float>(reached * (1 - 2 * kWeightMargin));
}

}  // namespace

bool prunes_on_device(const SegmentPlan& bound) {
  const Plan& plan = *bound.plan;
  if (!can_prune(plan) || plan.k() > tuning::kMostPrunedHits) return false;
  const auto present = std::ranges::count_if(bound.ids, [](auto id) { return id != kNoTerm; });
  return static_cast<std::uint64_t>(present) <= kMaxPrunedTerms;
}

ScaledPlan scale_plan(const KnownPlan& known, std::span<const DeviceList> lists,
                      std::span<PrunedTerm> made) {
  const Plan& plan = *known.plan.plan;
  ScaledPlan scaled;
  std::array<ScaledTerm, kMaxPrunedTerms> terms;
  std::array<std::size_t, kMaxPrunedTerms> places;
  std::size_t count = 0;
  double sum = 0;
  bool usable = true;
  for_each_present(known.plan, [&](std::size_t i, Present present) {
    const PlanTerm& term = plan.terms()[present.number];
    const KnownList& list = *known.lists[i];
    made[i] = pruned_term(term, list, lists[present.id]);
    if (!term.scored()) return;
    usable = usable && std::isnormal(list.largest) &&
             list.unit.proportional_to(Contribution(plan, term));
    const double largest = double{term.weight} * list.largest * (1 + kWeightMargin);
    terms[count] = {largest, list.row.codes != nullptr};
    places[count++] = i;
    sum += largest;
  });
  scaled.usable = usable && count > 0 && sum >= kLeastSum && sum <= kMostSum;
  if (!scaled.usable) return scaled;
  scaled.scale = scale_terms(std::span(terms).first(count));
  for (std::size_t t = 0; t < count; ++t) made[places[t]].weight = terms[t].weight;
  scaled.start = std::max(known.reached, plan.disjunction() ? reached_by_one_list(known) : 0.0f);
  return scaled;
}

void add_pruned(const SegmentPlan& plan, const ScaledPlan& scaled,
                std::span<const PrunedTerm> terms, PrunedBatch& batch) {
  PlanAdder(plan, batch).add(scaled, terms);
}

}  // namespace gannet::query::cuda
