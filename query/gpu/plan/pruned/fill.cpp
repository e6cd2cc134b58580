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

/// Clauses with short lists have a bit of a byte each: of more, no range is ruled out.
constexpr std::uint32_t kMaxShortClause = 0x80;

/// Writes one plan, part by part.
class PlanFiller {
 public:
  /// `before`: what the plans before it take.
  PlanFiller(const ScaledPlan& plan, const PrunedSizes& before, const PrunedBatch& batch)
      : plan_(plan), first_(before), at_(before), batch_(batch), tables_(batch.tables) {}

  void add() {
    PrunedQuery query{};
    query.match = plan_.match;
    query.number = plan_.number;
    query.rank = plan_.rank;
    query.k = plan_.sizes.stride;
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
    for (auto left = terms; !left.empty();) {
      const auto clause = left.first(clause_size(left));
      const ClauseRows rows = rows_of(clause, part);
      for (const PrunedTerm& term : clause) add_term(term, {number, segment}, rows);
      left = left.subspan(clause.size());
    }
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

  /// Terms at the beginning of `terms` that are one clause, or one term that is in none.
  static std::size_t clause_size(std::span<const PrunedTerm> terms) {
    if ((terms.front().clause & kInClause) == 0) return 1;
    std::size_t size = 1;
    while ((terms[size - 1].clause & kEndsClause) == 0) ++size;
    return size;
  }

  /// What the rows and short lists of a clause say of it; nothing if no range can be ruled out.
  struct ClauseRows {
    const std::uint8_t* last_row = nullptr;  ///< codes of its last list with bounds
    std::uint32_t row = 0;                   ///< WeightedRow::clause
    std::uint32_t bit = 0;                   ///< ShortList::clause
  };

  static ClauseRows rows_of(std::span<const PrunedTerm> clause, PrunedPart& part) {
    if ((clause.front().clause & kRulesRanges) == 0) return {};
    const auto is_short = [](const PrunedTerm& term) { return term.row.codes == nullptr; };
    ClauseRows rows;
    rows.row = kInClause;
    if (std::ranges::any_of(clause, is_short)) {
      rows.bit = part.marked_shorts + 1;  // the marks so far are the lowest bits
      if (rows.bit > kMaxShortClause) return {};
      part.marked_shorts |= rows.bit;
      rows.row |= rows.bit << WeightedRow::kShortBits;
    }
    for (const PrunedTerm& term : clause) {
      if (!is_short(term)) rows.last_row = term.row.codes;
    }
    if (rows.last_row == nullptr) part.short_clauses |= rows.bit;
    return rows;
  }

  void add_term(const PrunedTerm& term, const PartNumber& number, const ClauseRows& rows) {
    PrunedTerm& made = tables_.terms[at_.terms] = term;
    if (batch_.path == PrunedPath::kBounds) add_bounds(made, number, rows);
    ++at_.terms;
  }

  void add_bounds(PrunedTerm& term, const PartNumber& number, const ClauseRows& rows) {
    if (term.row.codes == nullptr) {
      add_short_list(term, number, rows.bit);
    } else if (term.weight != 0) {
      const std::uint32_t ends = term.row.codes == rows.last_row ? kEndsClause : 0u;
      tables_.rows[at_.rows++] = {term.row.codes, term.weight, rows.row | ends};
    }
  }

  void add_short_list(PrunedTerm& term, const PartNumber& number, std::uint32_t clause) {
    term.first_chunk = at_.chunk_pointers;
    term.first_group = at_.short_tiles * kGroupsPerTile + at_.shorts;
    const std::uint32_t tiles = codecs::tile_count(term.count);
    tables_.shorts[at_.shorts++] = {static_cast<std::uint32_t>(number.part),
                                    at_.terms,
                                    at_.short_tiles,
                                    tiles,
                                    term.first_chunk,
                                    clause};
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

void fill_plan(const ScaledPlan& plan, const PrunedSizes& before, const PrunedBatch& batch) {
  PlanFiller(plan, before, batch).add();
}

}  // namespace gannet::query::cuda
