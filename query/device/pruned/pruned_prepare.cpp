#include "query/device/pruned/pruned_prepare.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <cmath>

#include "query/bounds/list_bounds.hpp"
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

PrunedTerm pruned_term(const PlanTerm& term, const KnownList& known, const DeviceList& list) {
  PrunedTerm made{};
  made.docid_words = list.first_word;
  made.freq_words = list.first_word + list.docid_words;
  made.first_tile = list.first_tile;
  made.row = known.row();
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
  return with_margin(reached);
}

Match match_of(const Plan& plan) {
  if (plan.disjunction()) return Match::kAny;
  return plan.conjunction() ? Match::kAll : Match::kExpression;
}

std::uint64_t postings_of(std::span<const PrunedTerm> terms) {
  std::uint64_t postings = 0;
  for (const PrunedTerm& term : terms) postings += term.count;
  return postings;
}

/// What a plan takes, but for its nodes.
PrunedSizes sizes_of(PrunedPath path, const KnownPlan& known, std::span<const PrunedTerm> terms,
                     std::uint32_t documents) {
  const Plan& plan = *known.plan.plan;
  PrunedSizes sizes;
  sizes.queries = 1;
  sizes.terms = sizes.max_terms = static_cast<std::uint32_t>(terms.size());
  const std::uint64_t postings = postings_of(terms);
  sizes.stride = largest_k(plan, documents, postings);
  const bool from_zero = path == PrunedPath::kWindows || !known.of_what_passes();
  const std::uint32_t least = from_zero ? tuning::kLeastWindowFinalists : tuning::kLeastFinalists;
  const std::uint64_t room =
      std::max<std::uint64_t>(least, std::uint64_t{sizes.stride} * tuning::kFinalistsPerHit);
  sizes.finalists = std::min(room, postings);
  if (path == PrunedPath::kWindows) return sizes;
  for (const PrunedTerm& term : terms) {
    if (term.row.codes != nullptr) {
      sizes.rows += term.weight != 0 ? 1 : 0;
      continue;
    }
    ++sizes.shorts;
    sizes.short_tiles += codecs::tile_count(term.count);
  }
  sizes.chunk_pointers = sizes.shorts * (codecs::ceil_div(documents, kChunkDocuments) + 1);
  sizes.wave_size = tuning::first_wave_of(sizes.stride);
  return sizes;
}

// Most plans need no memory of their own.
using ScaledTerms = boost::container::small_vector<ScaledTerm, 16>;
using TermPlaces = boost::container::small_vector<std::size_t, 16>;

/// Makes the terms; returns their largest contributions, without those that are not scored, or
/// nothing if they are of no use.
ScaledTerms make_terms(const KnownPlan& known, std::span<const DeviceList> lists,
                       std::span<PrunedTerm> made, TermPlaces& places) {
  const Plan& plan = *known.plan.plan;
  ScaledTerms terms;
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
    terms.push_back({largest, list.room.codes != nullptr});
    places.push_back(i);
    sum += largest;
  });
  if (!usable || sum < kLeastSum || sum > kMostSum) terms.clear();
  return terms;
}

/// A scale with which no score is above kLargestBound.
float scale_of_sum(std::span<const ScaledTerm> terms) {
  double sum = 0;
  for (const ScaledTerm& term : terms) sum += term.largest;
  return static_cast<float>(kLargestBound / sum);
}

/// Makes the terms, and finds the scale. Returns whether they are of use.
bool scale(PrunedPath path, const KnownPlan& known, std::span<const DeviceList> lists,
           std::span<PrunedTerm> made, PreparedPlan& prepared) {
  TermPlaces places;
  ScaledTerms terms = make_terms(known, lists, made, places);
  if (terms.empty()) return false;
  if (path == PrunedPath::kWindows) {
    prepared.scale = scale_of_sum({terms.data(), terms.size()});
    return true;
  }
  prepared.scale = scale_terms({terms.data(), terms.size()});
  for (std::size_t t = 0; t < terms.size(); ++t) made[places[t]].weight = terms[t].weight;
  return true;
}

}  // namespace

float with_margin(double reached) { return static_cast<float>(reached * (1 - 2 * kWeightMargin)); }

std::optional<PrunedPath> pruned_path(const SegmentPlan& bound) {
  const Plan& plan = *bound.plan;
  if (!can_prune(plan) || plan.k() > tuning::kMostPrunedHits) return std::nullopt;
  const auto present = static_cast<std::size_t>(
      std::ranges::count_if(bound.ids, [](auto id) { return id != kNoTerm; }));
  const bool windows = plan.disjunction() && present <= kMaxWindowTerms;
  if (windows && present > tuning::most_bounded_terms(plan.scorer().id)) {
    return PrunedPath::kWindows;
  }
  if (present <= kMaxPrunedTerms) return PrunedPath::kBounds;
  return std::nullopt;
}

PreparedPlan prepare_plan(PrunedPath path, const KnownPlan& known,
                          std::span<const DeviceList> lists, std::uint32_t documents,
                          std::span<PrunedTerm> terms) {
  const Plan& plan = *known.plan.plan;
  PreparedPlan prepared;
  prepared.usable = scale(path, known, lists, terms, prepared);
  if (!prepared.usable) return prepared;
  if (has(Step::kStartThreshold)) {
    const bool by_lists = plan.disjunction() && known.of_what_passes();
    const float reached = by_lists ? reached_by_one_list(known) : 0.0f;
    prepared.start = std::max(known.reached, reached);
  }
  prepared.filter = known.filter;
  prepared.match = match_of(plan);
  prepared.terms = terms;
  prepared.sizes = sizes_of(path, known, terms, documents);
  if (prepared.match != Match::kExpression) return prepared;
  append_nodes(known.plan, prepared.nodes);
  prepared.sizes.nodes = static_cast<std::uint32_t>(prepared.nodes.size());
  return prepared;
}

}  // namespace gannet::query::cuda
