#include "query/cpu/known_matches.hpp"

#include "query/cpu/live_count.hpp"
#include "query/plan/making/expression.hpp"

namespace gannet::query {
namespace {

/// Whether all documents match, or none, whatever the filter says (PossibleStack).
std::uint32_t possible_matches(const index::Segment& segment, const Plan& plan,
                               std::span<const index::TermId> ids,
                               std::span<const std::uint32_t> counts) {
  const std::uint64_t documents = segment.statistics().documents;
  const auto load = [&](std::uint32_t term) {
    if (ids[term] == kNoTerm) return PossibleStack::kFalse;
    const bool all = counts[term] == documents &&
                     segment.list(ids[term]).count == documents;  // a damaged list is an error
    return all ? PossibleStack::kTrue : PossibleStack::kEither;
  };
  return evaluate(plan.expression().data(), static_cast<std::uint32_t>(plan.expression().size()),
                  PossibleStack{}, load, [](std::uint32_t) { return PossibleStack::kEither; });
}

}  // namespace

std::optional<std::uint64_t> known_matches(const index::Segment& segment, const Plan& plan,
                                           std::span<const index::TermId> ids,
                                           std::span<const std::uint32_t> counts,
                                           const KeptLists& kept,
                                           const index::LiveDocuments* live) {
  const std::uint32_t matches = possible_matches(segment, plan, ids, counts);
  if (matches == PossibleStack::kFalse) return 0;
  const bool all_live = plan.filter().is_all();
  if (plan.want() != Want::kCount || !(all_live || plan.filter().kind() == Filter::Kind::kLive)) {
    return std::nullopt;
  }
  if (matches == PossibleStack::kTrue) {
    const std::uint64_t deleted = all_live || live == nullptr ? 0 : live->deleted();
    return segment.statistics().documents - deleted;
  }
  if (plan.expression().size() > 1 || plan.expression().front().kind != Node::Kind::kTerm) {
    return std::nullopt;
  }
  const std::uint32_t term = plan.expression().front().operand;
  const index::TermId id = ids[term];
  if (all_live) return segment.list(id).count;
  if (kept.has(id, counts[term])) return std::nullopt;  // its bitmap is read
  return live_count(segment, id, live);
}

}  // namespace gannet::query
