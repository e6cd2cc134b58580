#include "query/device/pruned/pruned_assign.hpp"

#include <algorithm>

#include "query/device/pruned/kernels/unit_memory.hpp"

namespace gannet::query::cuda {
namespace {

class PlanAdder {
 public:
  /// `before`: what the plans before it take; moves on with what is written.
  PlanAdder(const PreparedPlan& plan, const PrunedSizes& before, const PrunedBatch& batch)
      : plan_(plan), first_(before), at_(before), batch_(batch), tables_(batch.tables) {}

  void add(const PlanConstants& scoring) {
    PrunedQuery query{};
    query.first_term = first_.terms;
    query.first_row = first_.rows;
    query.first_short = first_.shorts;
    for (const PrunedTerm& term : plan_.terms) add_term(term, query);
    query.terms = plan_.sizes.terms;
    query.rows = plan_.sizes.rows;
    query.shorts = plan_.sizes.shorts;
    query.match = plan_.match;
    query.first_node = first_.nodes;
    query.nodes = plan_.sizes.nodes;
    std::ranges::copy(plan_.nodes, tables_.nodes + first_.nodes);
    query.k = plan_.sizes.stride;
    query.scoring = scoring;
    query.scale = plan_.scale;
    query.start = plan_.start;
    query.filter = plan_.filter;
    query.slots = batch_.path == PrunedPath::kBounds ? slots_of(query.terms) : 0;
    query.capacity = static_cast<std::uint32_t>(plan_.sizes.finalists);
    query.first_finalist = first_.finalists;
    tables_.queries[first_.queries] = query;
    tables_.selections[first_.queries] = {query.first_finalist, query.capacity, query.k};
  }

 private:
  void add_term(PrunedTerm term, PrunedQuery& query) {
    if (batch_.path == PrunedPath::kBounds) add_bounds(term, query);
    tables_.terms[at_.terms++] = term;
  }

  void add_bounds(PrunedTerm& term, PrunedQuery& query) {
    if (term.row.codes == nullptr) {
      add_short_list(term, query);
    } else if (term.weight != 0) {
      tables_.rows[at_.rows++] = {term.row.codes, term.weight, term.required};
    }
  }

  void add_short_list(PrunedTerm& term, PrunedQuery& query) {
    const std::uint32_t number = at_.shorts - first_.shorts;
    if (term.required != 0 && term.weight != 0) query.required_shorts |= 1u << number;
    term.first_chunk = at_.chunk_pointers;
    term.first_group = at_.short_tiles * kGroupsPerTile + at_.shorts;
    const std::uint32_t tiles = codecs::tile_count(term.count);
    tables_.shorts[at_.shorts++] = {first_.queries, at_.terms, at_.short_tiles, tiles,
                                    term.first_chunk};
    at_.chunk_pointers += codecs::ceil_div(batch_.documents, kChunkDocuments) + 1;
    at_.short_tiles += tiles;
  }

  const PreparedPlan& plan_;
  const PrunedSizes& first_;
  PrunedSizes at_;
  const PrunedBatch& batch_;
  const PrunedTables& tables_;
};

}  // namespace

void add_pruned(const PreparedPlan& plan, const PlanConstants& scoring, const PrunedSizes& before,
                const PrunedBatch& batch) {
  PlanAdder(plan, before, batch).add(scoring);
}

}  // namespace gannet::query::cuda
