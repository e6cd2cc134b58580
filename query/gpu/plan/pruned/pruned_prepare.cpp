#include "query/gpu/plan/pruned/pruned_prepare.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <cmath>

#include "query/bounds/list_bounds.hpp"
#include "query/bounds/prunable.hpp"
#include "query/gpu/plan/list_place.hpp"
#include "query/gpu/plan/pruned/pruned_scale.hpp"
#include "query/gpu/plan/pruned/reached_together.hpp"
#include "query/gpu/plan/pruned/steps.hpp"
#include "query/gpu/plan/pruned/tuning.hpp"

namespace gannet::query::cuda {
namespace {

/// How much a contribution can be above or below its weight times the contribution at weight 1, by
/// rounding: what scorers promise, and more.
constexpr double kWeightMargin = 4e-6;
/// Sums of bounds outside of these are not pruned by: they would leave what float32 can scale.
constexpr double kMinPlanSum = 1e-25;
constexpr double kMaxPlanSum = 1e30;

// Most plans need no memory of their own.
using ScaledTerms = boost::container::small_vector<ScaledTerm, 16>;
using Lists = boost::container::small_vector<const KnownList*, 16>;

/// No contribution of the term is larger in the list.
double largest_of(const PlanTerm& term, const KnownList& list) {
  return double{term.weight} * list.largest * (1 + kWeightMargin);
}

/// What a term's lists add up to, or nothing if what is known of one of them does not serve.
std::optional<ScaledTerm> scaled(const KnownPlan& known, std::size_t number) {
  const PlanTerm& term = known.plan->terms()[number];
  const Contribution contribution(*known.plan, term);
  ScaledTerm made;
  for (const KnownPart& part : known.parts) {
    const KnownList* const list = part.lists.empty() ? nullptr : part.lists[number];
    if (list == nullptr) continue;
    if (!std::isnormal(list->largest) || !list->unit.proportional_to(contribution)) return {};
    made.largest = std::max(made.largest, largest_of(term, *list));
    (list->room.codes != nullptr ? made.has_codes : made.has_numbers) = true;
  }
  return made;
}

/// PrunedQuery::scale, or nothing if what is known is of no use.
std::optional<double> scale_of(PrunedPath path, const KnownPlan& known) {
  ScaledTerms terms;
  double sum = 0;
  for (std::size_t t = 0; t < known.plan->terms().size(); ++t) {
    if (!known.plan->terms()[t].scored()) continue;
    const std::optional<ScaledTerm> term = scaled(known, t);
    if (!term) return {};
    if (term->largest == 0) continue;  // no segment has it
    terms.push_back(*term);
    sum += term->largest;
  }
  if (terms.empty() || sum < kMinPlanSum || sum > kMaxPlanSum) return {};
  if (path == PrunedPath::kWindows) return kMaxBound / sum;
  return cuda::scale_of({terms.data(), terms.size()});
}

/// A score that is reached for certain where a weight times what is reached at weight 1 is this.
float with_margin(double reached) { return static_cast<float>(reached * (1 - 2 * kWeightMargin)); }

/// A contribution, at weight 1, that k documents which pass the filter have at least, by what is
/// known of a term's lists. It is that at rank k + (documents that do not pass).
float reached_by_term(const KnownPlan& known, std::size_t number) {
  std::uint64_t rank = known.plan->k();
  Lists lists;
  for (const KnownPart& part : known.parts) {
    if (part.lists.empty() || part.lists[number] == nullptr) continue;
    lists.push_back(part.lists[number]);
    rank += part.held_back;
  }
  if (lists.size() == 1) return reached_by(lists.front()->at_rank, kKnownRanks, rank);
  return reached_together({lists.data(), lists.size()}, rank);
}

/// PrunedQuery::start.
float start_of(const KnownPlan& known) {
  if (!has(Step::kStartThreshold)) return 0;
  if (!known.plan->disjunction()) return known.reached;
  double reached = 0;
  for (std::size_t t = 0; t < known.plan->terms().size(); ++t) {
    const PlanTerm& term = known.plan->terms()[t];
    if (term.scored()) reached = std::max(reached, double{reached_by_term(known, t)} * term.weight);
  }
  return std::max(known.reached, with_margin(reached));
}

Match match_of(const Plan& plan) {
  if (plan.disjunction()) return Match::kAny;
  return plan.conjunction() ? Match::kAll : Match::kExpression;
}

PrunedTerm pruned_term(const PlanTerm& term, const KnownList& known, const ListPlace& list) {
  PrunedTerm made{};
  static_cast<ListPlace&>(made) = list;
  made.row = known.row();
  made.required = term.required ? 1 : 0;
  made.constants = term.constants;
  return made;
}

/// Makes the terms of the parts of one plan, and counts what they take.
class PartMaker {
 public:
  PartMaker(PrunedPath path, const KnownPlan& known, double scale, std::span<PrunedTerm> terms)
      : path_(path), known_(known), scale_(scale), terms_(terms) {}

  PreparedPart make(const KnownPart& part, const SegmentView& segment) {
    if (part.lists.empty() || !has_scored(part)) return {};
    const std::uint32_t before = sizes_.terms;
    const std::uint32_t shorts_before = sizes_.shorts;
    for (std::size_t t = 0; t < part.lists.size(); ++t) {
      if (part.lists[t] != nullptr) add(part, segment.index, t);
    }
    sizes_.chunk_pointers += (sizes_.shorts - shorts_before) * (segment.chunks + 1);
    sizes_.ranges += codecs::ceil_div(segment.index.documents, kRange);
    const std::uint32_t made = sizes_.terms - before;
    sizes_.max_terms = std::max(sizes_.max_terms, made);
    return {part.filter, made, 0};
  }

  std::uint64_t postings() const { return postings_; }
  const PrunedSizes& sizes() const { return sizes_; }

 private:
  /// Only documents with a scored term match.
  bool has_scored(const KnownPart& part) const {
    const auto& terms = known_.plan->terms();
    for (std::size_t t = 0; t < terms.size(); ++t) {
      if (part.lists[t] != nullptr && terms[t].scored()) return true;
    }
    return false;
  }

  void add(const KnownPart& part, const IndexView& index, std::size_t number) {
    const PlanTerm& term = known_.plan->terms()[number];
    const KnownList& list = *part.lists[number];
    PrunedTerm& made = terms_[sizes_.terms++];
    made = pruned_term(term, list, list_place(index, part.places[part.ids[number]]));
    postings_ += made.count;
    if (path_ == PrunedPath::kWindows) return;
    const bool has_codes = made.row.codes != nullptr;
    if (term.scored()) made.weight = weight_of(largest_of(term, list), has_codes, scale_);
    if (has_codes) {
      sizes_.rows += made.weight != 0 ? 1 : 0;
      return;
    }
    ++sizes_.shorts;
    sizes_.short_tiles += codecs::tile_count(made.count);
  }

  const PrunedPath path_;
  const KnownPlan& known_;
  const double scale_;
  const std::span<PrunedTerm> terms_;
  std::uint64_t postings_ = 0;
  PrunedSizes sizes_;
};

/// `sizes`, which has what the terms of a plan take, with what its results and postings take. Nodes
/// are not counted.
PrunedSizes with_results(PrunedPath path, const KnownPlan& known, std::uint64_t documents,
                         std::uint64_t postings, PrunedSizes sizes) {
  sizes.queries = 1;
  sizes.stride = largest_k(*known.plan, documents, postings);
  const bool from_zero =
      path == PrunedPath::kWindows || !std::ranges::all_of(known.parts, &KnownPart::of_what_passes);
  const std::uint32_t least = from_zero ? tuning::kMinWindowFinalists : tuning::kMinFinalists;
  const std::uint64_t room =
      std::max<std::uint64_t>(least, std::uint64_t{sizes.stride} * tuning::kFinalistsPerHit);
  sizes.finalists = std::min(room, postings);
  if (path == PrunedPath::kBounds) {
    sizes.wave_size =
        tuning::first_wave_of(sizes.stride, known.shards_tell && known.plan->conjunction());
  }
  return sizes;
}

/// The plan's expression, for each part that has terms.
void add_nodes(const KnownPlan& known, std::span<PreparedPart> parts, PreparedPlan& prepared) {
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].terms == 0) continue;
    const std::size_t before = prepared.nodes.size();
    append_nodes({known.plan, known.parts[p].ids}, prepared.nodes);
    parts[p].nodes = static_cast<std::uint32_t>(prepared.nodes.size() - before);
  }
  prepared.sizes.nodes = static_cast<std::uint32_t>(prepared.nodes.size());
}

}  // namespace

std::optional<PrunedPath> pruned_path(const Plan& plan, std::size_t present) {
  if (!can_prune(plan) || plan.k() > tuning::kMaxPrunedHits) return std::nullopt;
  const bool windows = plan.disjunction() && present <= kMaxWindowTerms;
  if (windows && present > tuning::most_bounded_terms(plan.scorer().id)) {
    return PrunedPath::kWindows;
  }
  if (present <= kMaxPrunedTerms) return PrunedPath::kBounds;
  return std::nullopt;
}

std::optional<PrunedPath> pruned_path(const Plan& plan,
                                      std::span<const std::span<const index::TermId>> ids) {
  std::size_t present = 0;
  for (std::size_t t = 0; t < plan.terms().size(); ++t) {
    const auto has = [t](std::span<const index::TermId> segment) { return segment[t] != kNoTerm; };
    present += std::ranges::any_of(ids, has) ? 1 : 0;
  }
  return pruned_path(plan, present);
}

PreparedPlan prepare_plan(PrunedPath path, const KnownPlan& known, const SegmentViews& segments,
                          const PreparedRoom& room) {
  PreparedPlan prepared;
  const std::optional<double> scale = scale_of(path, known);
  if (!scale) return prepared;
  prepared.usable = true;
  prepared.number = known.number;
  prepared.rank = known.plan->k();
  prepared.scale = static_cast<float>(*scale);
  prepared.start = start_of(known);
  prepared.match = match_of(*known.plan);
  PartMaker maker(path, known, *scale, room.terms);
  for (std::size_t p = 0; p < known.parts.size(); ++p) {
    room.parts[p] = maker.make(known.parts[p], segments[p]);
  }
  prepared.parts = room.parts;
  prepared.terms = room.terms.first(maker.sizes().terms);
  prepared.sizes = with_results(path, known, segments.documents(), maker.postings(), maker.sizes());
  if (prepared.match == Match::kExpression) add_nodes(known, room.parts, prepared);
  return prepared;
}

}  // namespace gannet::query::cuda
