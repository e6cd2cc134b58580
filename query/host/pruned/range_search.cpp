#include "query/host/pruned/range_search.hpp"

#include <algorithm>
#include <bit>

#include "query/language/expression.hpp"

namespace gannet::query {
namespace {

/// Raises what all searches for a plan share. Scores are >= 0: their bits are ordered as they are.
void raise_floor(std::atomic<std::uint32_t>& floor, float score) {
  const auto bits = std::bit_cast<std::uint32_t>(score);
  std::uint32_t known = floor.load(std::memory_order_relaxed);
  while (known < bits && !floor.compare_exchange_weak(known, bits, std::memory_order_relaxed)) {
  }
}

}  // namespace

RangeSearch::RangeSearch(const PrunedPlace& place, const Plan& plan, const Terms& terms,
                         const ScoreScale& scale, RisingTop& top, index::Docid docid_base,
                         std::atomic<std::uint32_t>& floor)
    : kernels_(place.kernels),
      lengths_(place.segment.document_lengths().data()),
      plan_(plan),
      matching_(matching_of(plan)),
      terms_(terms),
      scale_(scale),
      top_(top),
      docid_base_(docid_base),
      floor_(floor),
      limit_(scale.limit(top.threshold())) {}

RangeSearch::Matching RangeSearch::matching_of(const Plan& plan) {
  if (plan.disjunction()) return Matching::kAny;
  // A chain of AND holds if all its terms are there, and those with a score are looked at anyway.
  const bool only_and = std::ranges::all_of(plan.expression(), [&](const Node& node) {
    if (node.kind != Node::Kind::kTerm) return node.kind == Node::Kind::kAnd;
    const PlanTerm& term = plan.terms()[node.operand];
    return term.required && term.scored();
  });
  return only_and ? Matching::kAll : Matching::kEvaluate;
}

void RangeSearch::visit(std::uint32_t range, std::uint32_t sum) {
  ++ranges_;
  meet_floor();
  std::uint64_t documents = candidates(range, sum);
  if (documents != 0) documents = matches(range, documents);
  if (documents != 0) score(range, documents);
}

void RangeSearch::meet_floor() {
  const auto floor = std::bit_cast<float>(floor_.load(std::memory_order_relaxed));
  if (floor <= top_.threshold()) return;
  top_.raise(floor);
  limit_ = scale_.limit(floor);
}

/// The documents that have the required terms and whose bounds reach the limit.
std::uint64_t RangeSearch::candidates(std::uint32_t range, std::uint32_t sum) {
  std::uint32_t rest = sum;  // what the terms that come can add
  sums_.fill(0);
  std::uint64_t possible = 0;
  std::uint64_t reached = 0;
  bool have_required = false;
  for (PrunedTerm* const next : terms_.scored) {
    PrunedTerm& term = *next;
    const std::uint32_t bound = term.bound(range);
    term.map = 0;
    if (bound == 0 && !term.required) continue;
    if (bound != 0) term.load_map(range, kernels_);
    if (term.required) {
      possible = have_required ? possible & term.map : term.map;
      have_required = true;
      if (possible == 0) return 0;
    } else if (!have_required) {
      possible |= term.map;
    }
    rest -= bound;
    const std::uint32_t least = limit_ > rest ? limit_ - rest : 0;
    // In the end nothing can be added, and these are the documents that reach the limit.
    reached = kernels_.raise(sums_.data(), term.map, static_cast<std::uint16_t>(bound),
                             static_cast<std::uint16_t>(least));
    if (least == 0) continue;
    // Without a required term, documents of the terms that come count too: they have no sum yet.
    const std::uint64_t alive = have_required ? reached & possible : reached;
    if (alive == 0) return 0;
  }
  return possible & reached;
}

std::uint64_t RangeSearch::matches(std::uint32_t range, std::uint64_t possible) {
  if (matching_ != Matching::kEvaluate) return possible;
  for (PrunedTerm* term : terms_.others) term->load_map(range, kernels_);
  const auto& expression = plan_.expression();
  return possible & evaluate(expression.data(), static_cast<std::uint32_t>(expression.size()),
                             WordStack<std::uint64_t>(), [&](std::uint32_t number) {
                               const PrunedTerm* term = terms_.by_number[number];
                               return term == nullptr ? 0 : term->map;
                             });
}

void RangeSearch::score(std::uint32_t range, std::uint64_t documents) {
  for_each_bit(documents, [&](std::uint32_t bit) {
    const index::Docid docid = range * kRange + bit;
    const std::uint32_t length = lengths_[docid];
    float score = 0;
    for (PrunedTerm* term : terms_.in_plan_order) {
      if ((term->map >> bit & 1) == 0) continue;
      score = codecs::rounded_add(score, term->contribute(bit, length, kernels_));
    }
    ++documents_;
    if (!top_.push(score, docid_base_ + docid)) return;
    limit_ = scale_.limit(top_.threshold());
    raise_floor(floor_, top_.threshold());
  });
}

}  // namespace gannet::query
