#include "query/gpu/plan/matching/match_compiler.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "codecs/core/tile.hpp"
#include "query/gpu/plan/matching/tuning.hpp"

namespace gannet::query::cuda {
namespace {

using tuning::kMaxMatchRows;

constexpr std::uint64_t kAllRows = (std::uint64_t{1} << kMaxMatchRows) - 1;
/// Rows that a part of an expression may need where all of it needs more than there are.
constexpr std::uint32_t kNarrow = 6;
// One row for each value that waits, a guard, and the rows of the part that is evaluated.
static_assert(kMaxStack + 1 + kNarrow < kMaxMatchRows && kMaxMatchRows <= 63);

/// Postings and tiles of some lists.
struct Extent {
  std::uint64_t postings = 0;
  std::uint64_t tiles = 0;  ///< of lists that are decoded

  void add(std::span<const MatchOperand> operands) {
    for (const MatchOperand& operand : operands) {
      postings += operand.list.count;
      if (operand.bitmap == nullptr) tiles += codecs::tile_count(operand.list.count);
    }
  }
};

}  // namespace

void MatchTables::clear() {
  queries.clear();
  steps.clear();
  lists.clear();
  nodes.clear();
  bitmaps.clear();
}

std::optional<std::uint64_t> MatchCompiler::add(const MatchRequest& request, MatchTables& tables) {
  request_ = &request;
  tables_ = &tables;
  query_ = {
      tables.lists.size(), tables.nodes.size(), tables.bitmaps.size(), tables.steps.size(), 0, 0,
      request.filter};
  if (request.use != MatchUse::kRest && !can_match()) return 0;
  Extent all;
  all.add(request.operands);
  tiles_ = all.tiles;
  if (!compile(false) && !compile(true)) return 0;
  const bool one_list = request.use == MatchUse::kMatches && operands_ == 1 &&
                        tables.steps.size() == query_.first_step + 1 &&
                        tables.steps.back().nodes == 1;
  if (one_list && request.guards && request.filter == nullptr &&
      request.plan->want() == Want::kCount) {
    begin(false);  // drops what was made
    return last_count_;
  }
  query_.steps = static_cast<std::uint32_t>(tables.steps.size() - query_.first_step);
  query_.rows = most_rows_;
  tables.queries.push_back(query_);
  return std::nullopt;
}

/// False if a clause has no list here, or nothing passes the filter.
bool MatchCompiler::can_match() const {
  const Plan& plan = *request_->plan;
  if (plan.expression().empty()) return false;
  if (request_->filter != nullptr && request_->passing == 0) return false;
  for (std::size_t i = 0; i < plan.clauses().size(); ++i) {
    const bool none = std::ranges::all_of(
        plan.clauses()[i], [&](std::uint32_t term) { return operands_of(term).empty(); });
    if (none) return false;
  }
  return true;
}

std::span<const MatchOperand> MatchCompiler::operands_of(std::uint32_t term) const {
  const std::uint32_t begin = term == 0 ? 0 : request_->ends[term - 1];
  return request_->operands.subspan(begin, request_->ends[term] - begin);
}

/// The clause with the fewest postings, if they are few enough to rule tiles of other lists out.
std::optional<std::uint32_t> MatchCompiler::guarding_clause() const {
  const Clauses& clauses = request_->plan->clauses();
  std::optional<std::uint32_t> best;
  Extent fewest;
  for (std::uint32_t i = 0; i < clauses.size(); ++i) {
    Extent extent;
    for (const std::uint32_t term : clauses[i]) extent.add(operands_of(term));
    if (best && extent.postings >= fewest.postings) continue;
    best = i;
    fewest = extent;
  }
  if (!best || filter_guards(fewest.postings)) return std::nullopt;
  const std::uint64_t others = tiles_ - std::min(tiles_, fewest.tiles);
  return fewest.postings <= tuning::kGuardPerTile * others ? best : std::nullopt;
}

/// Whether the filter rules tiles out, and lets fewer documents pass than a clause has postings.
bool MatchCompiler::filter_guards(std::uint64_t clause_postings) const {
  return request_->filter != nullptr && request_->passing <= tuning::kGuardPerTile * tiles_ &&
         request_->passing <= clause_postings;
}

/// False if nothing can match or, unless `narrow`, there are not enough rows.
bool MatchCompiler::compile(bool narrow) {
  begin(narrow);
  const Plan& plan = *request_->plan;
  std::optional<std::uint32_t> guard;
  const bool rest = request_->use == MatchUse::kRest;
  if (rest) {
    if (request_->filter != nullptr) emit_guard(std::nullopt);
  } else if (request_->guards) {
    guard = guarding_clause();
    if (guard || filter_guards(~std::uint64_t{0})) emit_guard(guard);
  }
  if (guard && plan.clauses_decide()) {
    push_clauses(*guard);
  } else {
    push_expression();
  }
  const Part& all = parts_.front();
  if (rest && all.kind == Kind::kNever) return true;
  const bool fits = all.rows <= static_cast<std::uint32_t>(std::popcount(free_));
  if (all.kind == Kind::kNever || !fits) {
    begin(narrow);
    return false;
  }
  emit(0, request_->use != MatchUse::kMatches);
  if (request_->use == MatchUse::kRow) tables_->steps.back().stops = 1;
  return true;
}

/// Drops what was made of the plan.
void MatchCompiler::begin(bool narrow) {
  narrow_ = narrow;
  parts_.clear();
  nodes_.clear();
  lists_.clear();
  rows_.clear();
  free_ = kAllRows;
  most_rows_ = 0;
  guarded_ = false;
  operands_ = 0;
  tables_->steps.resize(query_.first_step);
  tables_->lists.resize(query_.first_list);
  tables_->nodes.resize(query_.first_node);
  tables_->bitmaps.resize(query_.first_bitmap);
}

/// The documents of a clause, or those that pass the filter, become row 0.
void MatchCompiler::emit_guard(std::optional<std::uint32_t> clause) {
  if (clause) {
    push_terms(request_->plan->clauses()[*clause]);
  } else {
    parts_.push_back({Kind::kAll, 0, 0, 0, kNone});  // the AND of nothing
  }
  emit(0, true);
  tables_->steps.back().stops = 1;
  guarded_ = true;
  parts_.clear();
  nodes_.clear();
  lists_.clear();
}

void MatchCompiler::push_clauses(std::uint32_t guard) {
  const Clauses& clauses = request_->plan->clauses();
  for (std::uint32_t i = 0; i < clauses.size(); ++i) {
    if (i == guard) continue;
    push_terms(clauses[i]);
    if (parts_.size() == 2) combine(Node::Kind::kAnd);
  }
  if (parts_.empty()) parts_.push_back({Kind::kAll, 0, 0, 0, kNone});
}

void MatchCompiler::push_expression() {
  for (const Node& node : request_->plan->expression()) {
    switch (node.kind) {
      case Node::Kind::kTerm:
        push_terms(std::span(&node.operand, 1));
        break;
      case Node::Kind::kPredicate:
        push_bitmap(request_->predicates[node.operand]);
        break;
      case Node::Kind::kNever:
        push_never();
        break;
      case Node::Kind::kAnd:
      case Node::Kind::kOr:
        combine(node.kind);
        break;
      case Node::Kind::kNot:
        negate();
        break;
    }
  }
}

/// Appends the step that evaluates a part, whose rows are free afterwards. With `save` the
/// documents go to a row, which is returned; else they are the query's matches.
std::uint32_t MatchCompiler::emit(std::size_t part, bool save) {
  const Part& made = parts_[part];
  MatchStep step{};
  step.first_list = static_cast<std::uint32_t>(tables_->lists.size() - query_.first_list);
  step.first_node = static_cast<std::uint32_t>(tables_->nodes.size() - query_.first_node);
  step.shape = made.kind == Kind::kFormula ? MatchShape::kFormula
               : made.kind == Kind::kAll   ? MatchShape::kAll
                                           : MatchShape::kAny;
  step.guarded = guarded_ ? 1 : 0;
  std::uint64_t used = 0;
  for (std::size_t i = made.first_list; i < end_of_lists(part); ++i) {
    MatchList list = lists_[i];
    list.row = window_row(list.row, step.cleared);
    tables_->lists.push_back(list);
  }
  for (std::size_t i = made.first_node; i < end_of_nodes(part); ++i) {
    Node node = nodes_[i];
    if (node.kind == Node::Kind::kTerm) {
      node.operand = window_row(node.operand, step.cleared);
      used |= std::uint64_t{1} << node.operand;
    }
    tables_->nodes.push_back(node);
  }
  step.lists =
      static_cast<std::uint32_t>(tables_->lists.size() - query_.first_list) - step.first_list;
  step.nodes =
      static_cast<std::uint32_t>(tables_->nodes.size() - query_.first_node) - step.first_node;
  if (step.shape != MatchShape::kFormula) {
    // Rows are nearer than bitmaps, and an AND that is empty after them reads no bitmap.
    std::stable_partition(tables_->nodes.end() - step.nodes, tables_->nodes.end(),
                          [](Node node) { return node.kind == Node::Kind::kTerm; });
  }
  free_ |= used;
  step.to = save ? take_row() : kNone;
  tables_->steps.push_back(step);
  return step.to;
}

/// The row of the window that a row of nodes_ has. One that it gets now is added to `made`.
std::uint32_t MatchCompiler::window_row(std::uint32_t row, std::uint64_t& made) {
  if (rows_[row] == kNone) {
    rows_[row] = take_row();
    made |= std::uint64_t{1} << rows_[row];
  }
  return rows_[row];
}

std::uint32_t MatchCompiler::take_row() {
  const auto row = static_cast<std::uint32_t>(std::countr_zero(free_));
  free_ &= free_ - 1;
  most_rows_ = std::max(most_rows_, row + 1);
  return row;
}

void MatchCompiler::push_never() {
  parts_.push_back({Kind::kNever, nodes_.size(), lists_.size(), 0, kNone});
}

/// Pushes the OR of some terms.
void MatchCompiler::push_terms(std::span<const std::uint32_t> terms) {
  Part part{Kind::kNever, nodes_.size(), lists_.size(), 0, kNone};
  for (const std::uint32_t term : terms) {
    for (const MatchOperand& operand : operands_of(term)) add_operand(operand, part);
  }
  const std::size_t nodes = nodes_.size() - part.first_node;
  if (nodes > 0) part.kind = nodes == 1 ? Kind::kLeaf : Kind::kAny;
  parts_.push_back(part);
}

void MatchCompiler::add_operand(const MatchOperand& operand, Part& part) {
  ++operands_;
  last_count_ = operand.list.count;
  if (operand.bitmap != nullptr) {
    nodes_.push_back({Node::Kind::kPredicate,
                      static_cast<std::uint32_t>(tables_->bitmaps.size() - query_.first_bitmap)});
    tables_->bitmaps.push_back(operand.bitmap);
    return;
  }
  if (part.row == kNone) {
    part.row = static_cast<std::uint32_t>(rows_.size());
    part.rows = 1;
    rows_.push_back(kNone);
    nodes_.push_back({Node::Kind::kTerm, part.row});
  }
  lists_.push_back({operand.list, part.row});
}

void MatchCompiler::push_bitmap(const std::uint64_t* words) {
  operands_ += 2;  // its documents are not known by the length of a list
  parts_.push_back({Kind::kLeaf, nodes_.size(), lists_.size(), 0, kNone});
  nodes_.push_back({Node::Kind::kPredicate,
                    static_cast<std::uint32_t>(tables_->bitmaps.size() - query_.first_bitmap)});
  tables_->bitmaps.push_back(words);
}

/// Combines the two values on top.
void MatchCompiler::combine(Node::Kind operation) {
  if (combine_with_nothing(operation)) return;
  const Kind flat = operation == Node::Kind::kAnd ? Kind::kAll : Kind::kAny;
  const std::size_t b = parts_.size() - 1;
  const std::size_t a = b - 1;
  const auto is_flat = [&](std::size_t part) {
    return parts_[part].kind == Kind::kLeaf || parts_[part].kind == flat;
  };
  if (narrow_) save_for(operation);
  if (is_flat(a) && is_flat(b)) return join(flat);
  make_formula(b);
  make_formula(a);
  nodes_.push_back({operation, 2});
  parts_[a].kind = Kind::kFormula;
  parts_[a].rows += parts_[b].rows;
  parts_[a].row = kNone;
  parts_.pop_back();
}

/// Combines the two values on top if one of them is empty.
bool MatchCompiler::combine_with_nothing(Node::Kind operation) {
  Part& a = parts_[parts_.size() - 2];
  const Part& b = parts_.back();
  if (a.kind != Kind::kNever && b.kind != Kind::kNever) return false;
  if (operation == Node::Kind::kAnd) {
    pop();
    pop();
    push_never();
  } else {
    // The empty one has no nodes, so that those of the other begin where the pair does.
    if (a.kind == Kind::kNever) a = b;
    parts_.pop_back();
  }
  return true;
}

/// Joins two values on top that are operands, or of the same flat kind, to one of it.
void MatchCompiler::join(Kind kind) {
  Part b = parts_.back();
  Part& a = parts_[parts_.size() - 2];
  if (kind == Kind::kAny && a.row != kNone && b.row != kNone) merge_rows(a, b);
  a.rows += b.rows;
  a.row = kind == Kind::kAll ? kNone : a.row != kNone ? a.row : b.row;
  parts_.pop_back();
  a.kind = nodes_.size() - a.first_node == 1 ? Kind::kLeaf : kind;
}

/// Has the lists of the part on top marked in the row of another part.
void MatchCompiler::merge_rows(const Part& into, Part& from) {
  for (std::size_t i = from.first_list; i < lists_.size(); ++i) {
    if (lists_[i].row == from.row) lists_[i].row = into.row;
  }
  const auto node = std::find_if(
      nodes_.begin() + static_cast<std::ptrdiff_t>(from.first_node), nodes_.end(),
      [&](Node one) { return one.kind == Node::Kind::kTerm && one.operand == from.row; });
  nodes_.erase(node);
  --from.rows;
  from.row = kNone;
}

void MatchCompiler::negate() {
  Part& part = parts_.back();
  if (part.kind == Kind::kNever) nodes_.push_back({Node::Kind::kNever, 0});
  make_formula(parts_.size() - 1);
  nodes_.push_back({Node::Kind::kNot, 1});
  part.kind = Kind::kFormula;
  part.row = kNone;
  operands_ += 2;
}

void MatchCompiler::pop() {
  free_rows(parts_.size() - 1);
  nodes_.resize(parts_.back().first_node);
  lists_.resize(parts_.back().first_list);
  parts_.pop_back();
}

/// Frees the rows that steps have left for a part.
void MatchCompiler::free_rows(std::size_t part) {
  for (std::size_t i = parts_[part].first_node; i < end_of_nodes(part); ++i) {
    if (nodes_[i].kind != Node::Kind::kTerm || rows_[nodes_[i].operand] == kNone) continue;
    free_ |= std::uint64_t{1} << rows_[nodes_[i].operand];
  }
}

std::size_t MatchCompiler::end_of_nodes(std::size_t part) const {
  return part + 1 < parts_.size() ? parts_[part + 1].first_node : nodes_.size();
}

std::size_t MatchCompiler::end_of_lists(std::size_t part) const {
  return part + 1 < parts_.size() ? parts_[part + 1].first_list : lists_.size();
}

/// Puts operators between the operands of a flat part, so that two of them wait at a time.
void MatchCompiler::make_formula(std::size_t part) {
  const Kind kind = parts_[part].kind;
  if (kind != Kind::kAny && kind != Kind::kAll) return;
  const Node operation{kind == Kind::kAny ? Node::Kind::kOr : Node::Kind::kAnd, 2};
  scratch_.clear();
  for (std::size_t i = parts_[part].first_node; i < end_of_nodes(part); ++i) {
    scratch_.push_back(nodes_[i]);
    if (scratch_.size() > 1) scratch_.push_back(operation);
  }
  replace_nodes(part, scratch_);
}

void MatchCompiler::replace_nodes(std::size_t part, std::span<const Node> nodes) {
  const std::size_t first = parts_[part].first_node;
  const std::size_t end = end_of_nodes(part);
  const auto at = nodes_.begin() + static_cast<std::ptrdiff_t>(first);
  nodes_.erase(at, at + static_cast<std::ptrdiff_t>(end - first));
  nodes_.insert(nodes_.begin() + static_cast<std::ptrdiff_t>(first), nodes.begin(), nodes.end());
  for (std::size_t i = part + 1; i < parts_.size(); ++i) {
    parts_[i].first_node = parts_[i].first_node - end + first + nodes.size();
  }
}

/// Evaluates the two parts on top in steps of their own if they need too many rows together.
void MatchCompiler::save_for(Node::Kind operation) {
  const std::size_t b = parts_.size() - 1;
  const std::size_t a = b - 1;
  const bool merged =
      operation == Node::Kind::kOr && parts_[a].row != kNone && parts_[b].row != kNone;
  if (parts_[a].rows + parts_[b].rows - (merged ? 1 : 0) <= kNarrow) return;
  for (const std::size_t part : {b, a}) {
    if (parts_[part].rows > 1) save(part);
  }
}

/// Evaluates a part, which leaves a row in its place.
void MatchCompiler::save(std::size_t part) {
  const auto row = static_cast<std::uint32_t>(rows_.size());
  rows_.push_back(emit(part, true));
  const std::size_t first = parts_[part].first_list;
  const std::size_t end = end_of_lists(part);
  const auto at = lists_.begin() + static_cast<std::ptrdiff_t>(first);
  lists_.erase(at, at + static_cast<std::ptrdiff_t>(end - first));
  for (std::size_t i = part + 1; i < parts_.size(); ++i) parts_[i].first_list -= end - first;
  const Node node{Node::Kind::kTerm, row};
  replace_nodes(part, std::span(&node, 1));
  parts_[part].kind = Kind::kLeaf;
  parts_[part].rows = 1;
  parts_[part].row = kNone;  // no list is marked in it
  save_where_most_wait();
}

/// Keeps enough rows free for the next part: parts that wait with several rows get one for all.
void MatchCompiler::save_where_most_wait() {
  while (static_cast<std::uint32_t>(std::popcount(free_)) <= kNarrow) {
    std::size_t most = 0;
    for (std::size_t i = 1; i < parts_.size(); ++i) {
      if (saved_rows(i) > saved_rows(most)) most = i;
    }
    if (saved_rows(most) < 2) return;
    save(most);
  }
}

std::uint32_t MatchCompiler::saved_rows(std::size_t part) const {
  std::uint32_t rows = 0;
  for (std::size_t i = parts_[part].first_node; i < end_of_nodes(part); ++i) {
    if (nodes_[i].kind == Node::Kind::kTerm && rows_[nodes_[i].operand] != kNone) ++rows;
  }
  return rows;
}

}  // namespace gannet::query::cuda
