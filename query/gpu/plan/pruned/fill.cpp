#include "query/gpu/plan/pruned/fill.hpp"

#include <algorithm>

#include "index/files/limits.hpp"
#include "query/gpu/plan/pruned/unit_memory.hpp"

namespace gannet::query::cuda {

// Kernels look ahead of docids in 32 bits: padded_superblocks(), and the end of a window
// (windows.cuh). A segment's last document leaves them room.
static_assert(8 * kSuperblock <= index::kDocidHeadroom);
static_assert(kWindowDocuments <= index::kDocidHeadroom);

namespace {

/// Writes one plan, part by part.
class PlanFiller {
 public:
  /// `before`: what the plans before it take.
  PlanFiller(const ScaledPlan& plan, const PrunedSizes& before, const PrunedBatch& batch)
      : plan_(plan), first_(before), at_(before), batch_(batch), tables_(batch.tables) {}

  void add(const PlanConstants& scoring) {
    PrunedQuery query{};
    query.match = plan_.match;
    query.number = plan_.number;
    query.rank = plan_.rank;
    query.k = plan_.sizes.stride;
    query.scoring = scoring;
    query.scale = plan_.scale;
    query.start = plan_.start;
    query.below = plan_.below;
    query.capacity = static_cast<std::uint32_t>(plan_.sizes.finalists);
    query.first_finalist = first_.finalists;
    tables_.queries[first_.queries] = query;
    tables_.selections[first_.queries] = {query.first_finalist, query.capacity, query.k};
    std::ranges::copy(plan_.nodes, tables_.nodes + first_.nodes);
    for (std::size_t s = 0; s < plan_.parts.size(); ++s) add_part(s);
  }

 private:
  void add_part(std::size_t segment) {
    const ScaledPart& scaled = plan_.parts[segment];
    const std::size_t number = first_.queries * plan_.parts.size() + segment;
    PrunedPart part{};
    part.first_term = at_.terms;
    part.first_row = at_.rows;
    part.first_short = at_.shorts;
    part.first_node = at_.nodes;
    part.nodes = scaled.nodes;
    part.filter = scaled.filter;
    const auto terms = plan_.terms.subspan(at_.terms - first_.terms, scaled.terms);
    for (const PrunedTerm& term : terms) add_term(term, {number, segment}, part);
    part.terms = at_.terms - part.first_term;
    part.rows = at_.rows - part.first_row;
    part.shorts = at_.shorts - part.first_short;
    part.slots = batch_.path == PrunedPath::kBounds && part.terms > 0 ? slots_of(part.terms) : 0;
    at_.nodes += scaled.nodes;
    tables_.parts[number] = part;
  }

  struct PartNumber {
    std::size_t part, segment;
  };

  void add_term(PrunedTerm term, const PartNumber& number, PrunedPart& part) {
    if (batch_.path == PrunedPath::kBounds) add_bounds(term, number, part);
    tables_.terms[at_.terms++] = term;
  }

  void add_bounds(PrunedTerm& term, const PartNumber& number, PrunedPart& part) {
    if (term.row.codes == nullptr) {
      add_short_list(term, number, part);
    } else if (term.weight != 0) {
      tables_.rows[at_.rows++] = {term.row.codes, term.weight, term.required};
    }
  }

  void add_short_list(PrunedTerm& term, const PartNumber& number, PrunedPart& part) {
    const std::uint32_t in_part = at_.shorts - part.first_short;
    if (term.required != 0 && term.weight != 0) part.required_shorts |= 1u << in_part;
    term.first_chunk = at_.chunk_pointers;
    term.first_group = at_.short_tiles * kGroupsPerTile + at_.shorts;
    const std::uint32_t tiles = codecs::tile_count(term.count);
    tables_.shorts[at_.shorts++] = {static_cast<std::uint32_t>(number.part), at_.terms,
                                    at_.short_tiles, tiles, term.first_chunk};
    at_.chunk_pointers += (*batch_.segments)[number.segment].chunks + 1;
    at_.short_tiles += tiles;
  }

  const ScaledPlan& plan_;
  const PrunedSizes& first_;
  PrunedSizes at_;  ///< moves on with what is written
  const PrunedBatch& batch_;
  const PrunedTables& tables_;
};

}  // namespace

void fill_plan(const ScaledPlan& plan, const PlanConstants& scoring, const PrunedSizes& before,
               const PrunedBatch& batch) {
  PlanFiller(plan, before, batch).add(scoring);
}

}  // namespace gannet::query::cuda
