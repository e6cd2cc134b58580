#include "query/cpu/pruned/pruned_part.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "codecs/base/cancellation.hpp"

namespace gannet::query {
namespace {

/// How much a contribution can be above or below its weight times the contribution at weight 1,
/// by rounding: what scorers promise, and more.
constexpr double kWeightMargin = 4e-6;
/// Sums of bounds beyond these are not pruned by: they would leave what float32 can scale.
constexpr double kMinPlanSum = 1e-25;
constexpr double kMaxFloatSum = 1e30;

bool decides(const Plan& plan, std::size_t number) {
  return std::ranges::any_of(plan.expression(), [&](const Node& node) {
    return node.kind == Node::Kind::kTerm && node.operand == number;
  });
}

}  // namespace

PlaceState PrunedPart::read(const PrunedPlace& where, const Plan& plan, TermPool& pool) {
  place = &where;
  first_range = where.range.begin / kRange;
  ranges = (where.range.end - where.range.begin + kRange - 1) / kRange;
  scored.clear();
  others.clear();
  words.clear();
  by_number.assign(where.ids.size(), nullptr);
  if (!plan.can_match(where.ids)) return PlaceState::kNothingMatches;
  if (!read_words(plan, pool) || !read_terms(plan, pool)) return PlaceState::kNoGood;
  largest = 0;
  for (const PrunedTerm* term : scored) largest += term->largest;
  if (largest != 0 && !(largest >= kMinPlanSum && largest <= kMaxFloatSum))
    return PlaceState::kNoGood;
  if (largest == 0) return PlaceState::kNothingMatches;
  in_plan_order = scored;
  take_clauses(plan);
  sort_terms();
  return PlaceState::kReady;
}

/// Terms that are not in words; those that neither decide nor score are not worth reading.
bool PrunedPart::read_terms(const Plan& plan, TermPool& pool) {
  for (std::uint32_t i = 0; i < place->ids.size(); ++i) {
    if (place->ids[i] == kNoTerm || by_number[i] != nullptr) continue;
    const PlanTerm& term = plan.terms()[i];
    const bool is_scored = plan.words().empty() && term.scored();
    if (!is_scored && !decides(plan, i)) continue;
    const Contribution contribution(term);
    if (add_term(plan, i, is_scored ? &contribution : nullptr, pool) == nullptr) return false;
  }
  return true;
}

bool PrunedPart::read_words(const Plan& plan, TermPool& pool) {
  for (const QueryWord& word : plan.words()) {
    PrunedWord& made = words.emplace_back(PrunedWord{word_factor(plan, word), {}});
    for (const WordTerm& text : word.terms) {
      if (place->ids[text.term] == kNoTerm) continue;
      const Contribution contribution(plan, text, made.factor);
      PrunedTerm* const term = add_term(plan, text.term, &contribution, pool);
      if (term == nullptr) return false;
      made.texts.emplace_back(term, word_in_text(plan, text));
    }
  }
  return true;
}

/// Null if the list's bounds are no good. `contribution`: null for a term that is not scored.
PrunedTerm* PrunedPart::add_term(const Plan& plan, std::uint32_t number,
                                 const Contribution* contribution, TermPool& pool) {
  throw_if_stopped();  // lists without bounds are decoded
  PrunedTerm& term = pool.next();
  const index::TermId id = place->ids[number];
  term.number = number;
  term.scored = contribution != nullptr;
  if (term.scored) term.contribution = *contribution;
  term.lengths = place->segment->text_lengths(plan.terms()[number].field).data();
  term.required = false;
  term.closes = 0;
  term.bounds = place->bounds->find(id);
  if (!read_list(term, id, !plan.words().empty())) return nullptr;
  by_number[number] = &term;
  (term.scored ? scored : others).push_back(&term);
  return &term;
}

bool PrunedPart::read_list(PrunedTerm& term, index::TermId id, bool keep_frequencies) const {
  if (term.bounds == nullptr) {
    const index::PostingList list = place->segment->list(id);
    term.count = list.count;
    term.decoded.read(*place->segment, list, place->range,
                      term.scored ? &term.contribution : nullptr, keep_frequencies);
    term.largest = term.decoded.largest();
    return true;
  }
  term.count = term.bounds->list.count;
  term.dense.reset(*term.bounds);
  if (!term.scored) return true;
  const auto multiple = term.contribution.multiple_of(term.bounds->unit);
  if (!multiple || !std::isnormal(term.bounds->largest)) return false;
  term.largest = multiple->most * term.bounds->largest * (1 + kWeightMargin);
  return true;
}

/// Those by which ranges are narrowed: without terms that have no score.
void PrunedPart::take_clauses(const Plan& plan) {
  clauses.clear();
  clause_terms.clear();
  if (plan.disjunction()) return;
  for (std::size_t i = 0; i < plan.clauses().size(); ++i) {
    PrunedClause made{static_cast<std::uint32_t>(clause_terms.size()), 0, 0};
    bool all_scored = true;
    for (const std::uint32_t number : plan.clauses()[i]) {
      PrunedTerm* const term = by_number[number];
      if (term == nullptr) continue;
      all_scored = all_scored && term->scored;
      clause_terms.push_back(term);
      made.count += term->count;
    }
    made.end = static_cast<std::uint32_t>(clause_terms.size());
    if (all_scored) {
      clauses.push_back(made);
    } else {
      clause_terms.resize(made.begin);
    }
  }
  clauses_decide = plan.clauses_decide() && clauses.size() == plan.clauses().size();
}

/// Clauses narrow what is possible, the rarest first; then come terms that can add most.
void PrunedPart::sort_terms() {
  std::ranges::stable_sort(clauses, {}, &PrunedClause::count);
  scored.clear();
  for (const PrunedClause& clause : clauses) {
    for (PrunedTerm* const term : terms_of(clause)) {
      if (!term->required) scored.push_back(term);
      term->required = true;
    }
    ++scored.back()->closes;
  }
  const auto others_begin = static_cast<std::ptrdiff_t>(scored.size());
  std::ranges::copy_if(in_plan_order, std::back_inserter(scored),
                       std::not_fn(&PrunedTerm::required));
  std::ranges::stable_sort(scored.begin() + others_begin, scored.end(), std::greater<>(),
                           &PrunedTerm::largest);
}

float PrunedPart::reached_by_one_list(std::uint64_t documents) const {
  double reached = 0;
  for (const PrunedTerm* term : scored) {
    if (term->bounds == nullptr) continue;
    const double unit = term->bounds->reached_by(documents);
    const double least = term->contribution.multiple_of(term->bounds->unit)->least;
    reached = std::max(reached, unit * least * (1 - kWeightMargin));
  }
  return static_cast<float>(reached * (1 - kWeightMargin));
}

}  // namespace gannet::query
