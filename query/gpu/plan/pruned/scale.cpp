#include "query/gpu/plan/pruned/scale.hpp"

#include <algorithm>

#include "query/gpu/plan/assign.hpp"
#include "query/gpu/plan/list_location.hpp"
#include "query/gpu/plan/pruned/clause_marks.hpp"
#include "query/gpu/plan/pruned/tuning.hpp"

namespace gannet::query::cuda {
namespace {

/// PrunedQuery::scale.
double scale_of(PrunedPath path, const PlanBounds& bounds) {
  if (path == PrunedPath::kWindows) return kMaxBound / bounds.sum;
  return choose_scale({bounds.terms.data(), bounds.terms.size()});
}

Match match_of(const Plan& plan) {
  if (plan.disjunction()) return Match::kAny;
  return plan.conjunction() ? Match::kAll : Match::kExpression;
}

PrunedTerm pruned_term(const PlanTerm& term, const ListStats& list, const ListLocation& location,
                       const std::uint32_t* lengths) {
  PrunedTerm made{};
  static_cast<ListLocation&>(made) = location;
  made.row = list.row();
  made.constants = term.constants;
  made.scoring = term.shared;
  made.lengths = lengths;
  return made;
}

/// Scales the parts of one plan, one after the other, and counts what they take of a batch.
class PartScaler {
 public:
  PartScaler(PrunedPath path, const PlanBinding& binding, double scale, std::span<PrunedTerm> terms)
      : path_(path), binding_(binding), scale_(scale), terms_(terms) {}

  ScaledPart scale(const PartBinding& part, const SegmentView& segment) {
    if (part.lists.empty() || !has_scored(part)) return {};
    const std::uint32_t before = sizes_.terms;
    const std::uint32_t shorts_before = sizes_.shorts;
    for (std::size_t t = 0; t < part.lists.size(); ++t) {
      if (part.lists[t] != nullptr) add(part, segment.index, t);
    }
    sizes_.chunk_pointers += (sizes_.shorts - shorts_before) * (segment.chunks + 1);
    sizes_.ranges += codecs::ceil_div(segment.index.documents, kRange);
    const std::uint32_t made = sizes_.terms - before;
    if (path_ == PrunedPath::kBounds) {
      mark_clauses(*binding_.plan, part.ids, terms_.subspan(before, made));
    }
    sizes_.max_terms = std::max(sizes_.max_terms, made);
    return {part.filter, made, 0};
  }

  std::uint64_t postings() const { return postings_; }
  const PrunedSizes& sizes() const { return sizes_; }

 private:
  /// Only documents with a scored term match.
  bool has_scored(const PartBinding& part) const {
    const auto& terms = binding_.plan->terms();
    for (std::size_t t = 0; t < terms.size(); ++t) {
      if (part.lists[t] != nullptr && terms[t].scored()) return true;
    }
    return false;
  }

  void add(const PartBinding& part, const IndexView& index, std::size_t number) {
    const PlanTerm& term = binding_.plan->terms()[number];
    const ListStats& list = *part.lists[number];
    PrunedTerm& made = terms_[sizes_.terms++];
    made = pruned_term(term, list, list_location(index, part.location(number)),
                       index.lengths + part.texts->of(term.field));
    postings_ += made.count;
    if (path_ == PrunedPath::kWindows) return;
    const bool has_codes = made.row.codes != nullptr;
    if (term.scored()) made.weight = weight_of(max_contribution(term, list), has_codes, scale_);
    if (has_codes) {
      sizes_.rows += made.weight != 0 ? 1 : 0;
      return;
    }
    ++sizes_.shorts;
    sizes_.short_tiles += codecs::tile_count(made.count);
  }

  const PrunedPath path_;
  const PlanBinding& binding_;
  const double scale_;
  const std::span<PrunedTerm> terms_;
  std::uint64_t postings_ = 0;
  PrunedSizes sizes_;
};

/// `sizes`, which has what the terms of a plan take, with what its results and postings take. Nodes
/// are not counted.
PrunedSizes with_results(PrunedPath path, const PlanBinding& binding, std::uint64_t documents,
                         std::uint64_t postings, PrunedSizes sizes) {
  sizes.queries = 1;
  sizes.stride = largest_k(*binding.plan, documents, postings);
  const bool from_zero = path == PrunedPath::kWindows || !binding.plan->page().first() ||
                         !std::ranges::all_of(binding.parts, &PartBinding::of_what_passes);
  const std::uint32_t least = from_zero ? tuning::kMinWindowFinalists : tuning::kMinFinalists;
  const std::uint64_t room =
      std::max<std::uint64_t>(least, std::uint64_t{sizes.stride} * tuning::kFinalistsPerHit);
  sizes.finalists = std::min(room, postings);
  if (path == PrunedPath::kBounds) {
    sizes.wave_size =
        tuning::first_wave_of(sizes.stride, binding.shards_tell && binding.plan->conjunction());
  }
  return sizes;
}

/// The plan's expression, for each part that has terms.
void add_nodes(const PlanBinding& binding, std::span<ScaledPart> parts, ScaledPlan& scaled) {
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].terms == 0) continue;
    const std::size_t before = scaled.nodes.size();
    append_nodes({binding.plan, binding.parts[p].ids}, scaled.nodes);
    parts[p].nodes = static_cast<std::uint32_t>(scaled.nodes.size() - before);
  }
  scaled.sizes.nodes = static_cast<std::uint32_t>(scaled.nodes.size());
}

}  // namespace

ScaledPlan scale_plan(PrunedPath path, const PlanBinding& binding, const PlanBounds& bounds,
                      const SegmentViews& segments, const PlanRoom& room) {
  const double scale = scale_of(path, bounds);
  ScaledPlan scaled;
  scaled.usable = true;
  scaled.number = binding.number;
  scaled.rank = binding.plan->k();
  scaled.scale = static_cast<float>(scale);
  scaled.start = bounds.start;
  scaled.below = binding.plan->page().below;
  scaled.match = match_of(*binding.plan);
  PartScaler scaler(path, binding, scale, room.terms);
  for (std::size_t p = 0; p < binding.parts.size(); ++p) {
    room.parts[p] = scaler.scale(binding.parts[p], segments[p]);
  }
  scaled.parts = room.parts;
  scaled.terms = room.terms.first(scaler.sizes().terms);
  scaled.sizes =
      with_results(path, binding, segments.documents(), scaler.postings(), scaler.sizes());
  if (scaled.match == Match::kExpression) add_nodes(binding, room.parts, scaled);
  return scaled;
}

}  // namespace gannet::query::cuda
