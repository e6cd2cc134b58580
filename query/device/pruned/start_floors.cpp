#include "query/device/pruned/start_floors.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <array>
#include <functional>

#include "query/bounds/list_bounds.hpp"
#include "query/device/pruned/pruned_prepare.hpp"

namespace gannet::query::cuda {
namespace {

/// What any of the parts reach is reached, so that looking at some of very many is enough.
constexpr std::size_t kMostParts = 64;

/// The `needed`-th largest of `of` over the parts; 0 if there are not so many.
template <class F>
float nth_largest(std::span<const KnownList* const> parts, std::size_t needed, F of) {
  if (needed > parts.size()) return 0;
  std::array<float, kMostParts> values{};
  std::ranges::transform(parts, values.begin(), [&](const KnownList* part) { return of(*part); });
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(needed - 1);
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(parts.size());
  std::nth_element(values.begin(), nth, end, std::greater<>());
  return *nth;
}

}  // namespace

float reached_together(std::span<const KnownList* const> parts, std::uint32_t k) {
  parts = parts.first(std::min(parts.size(), kMostParts));
  float reached =
      nth_largest(parts, std::max(k, 1u), [](const KnownList& part) { return part.largest; });
  for (std::uint32_t i = 0; i < kKnownRankCount; ++i) {
    const std::size_t needed = std::max<std::size_t>(1, codecs::ceil_div(k, kKnownRanks[i]));
    const auto at_rank = [&](const KnownList& part) { return part.at_rank[i]; };
    reached = std::max(reached, nth_largest(parts, needed, at_rank));
  }
  return reached;
}

StartFloors::StartFloors(const KnowledgeCache::Segments& knowledge,
                         std::span<const std::size_t> segments, const BoundPlans& plans)
    : knowledge_(knowledge),
      segments_(segments),
      plans_(plans),
      floors_(segments.size() > 1 ? plans.size() : 0) {}

void StartFloors::find(std::size_t plan) {
  if (floors_.empty()) return;
  const Plan& searched = plans_.plan(plan);
  if (!searched.disjunction() || !searched.filter().is_all()) return;
  double reached = 0;
  for (std::size_t t = 0; t < searched.terms().size(); ++t) {
    const PlanTerm& term = searched.terms()[t];
    if (term.scored()) reached = std::max(reached, double{of_term(plan, t)} * term.weight);
  }
  floors_[plan] = with_margin(reached);
}

float StartFloors::of_term(std::size_t plan, std::size_t term) const {
  const Plan& searched = plans_.plan(plan);
  boost::container::small_vector<const KnownList*, 16> parts;
  for (const std::size_t s : segments_) {
    const index::TermId id = plans_.ids(plan, s)[term];
    const KnownList* const list = id == kNoTerm ? nullptr : knowledge_[s]->all.find(id);
    if (list != nullptr) parts.push_back(list);
  }
  const auto serves = [&](const KnownList* list) {
    return list->unit.proportional_to(Contribution(searched, searched.terms()[term]));
  };
  if (!std::ranges::all_of(parts, serves)) return 0;
  return reached_together({parts.data(), parts.size()}, searched.k());
}

}  // namespace gannet::query::cuda
