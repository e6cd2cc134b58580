#include "query/texts/union_counts.hpp"

#include <utility>

namespace gannet::query {

std::size_t UnionCounts::Hash::operator()(const TermUnion& of) const {
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15u;
  std::uint64_t hash = std::hash<const void*>()(of.segment);
  for (const index::TermId term : of.terms) {
    hash = (hash ^ term) * kOdd;
    hash ^= hash >> 32;
  }
  return static_cast<std::size_t>(hash);
}

std::uint64_t UnionCounts::of(const std::shared_ptr<const index::Segment>& segment,
                              std::vector<index::TermId> terms,
                              const std::function<std::uint64_t()>& count) {
  TermUnion wanted{segment.get(), std::move(terms)};
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = find(segment, wanted)) return *known;
  }
  const std::uint64_t found = count();
  const std::lock_guard lock(mutex_);
  keep(std::move(wanted), {segment, found});
  return found;
}

std::optional<std::uint64_t> UnionCounts::find(const std::shared_ptr<const index::Segment>& segment,
                                               const TermUnion& wanted) {
  const auto same = [&](const Known& known) {
    return !known.segment.owner_before(segment) && !segment.owner_before(known.segment);
  };
  if (const auto found = young_.find(wanted); found != young_.end()) {
    if (same(found->second)) return found->second.count;
    young_.erase(found);
    return std::nullopt;
  }
  const auto found = old_.find(wanted);
  if (found == old_.end() || !same(found->second)) return std::nullopt;
  const Known known = found->second;
  old_.erase(found);
  keep(wanted, known);
  return known.count;
}

/// What nobody asked for while as many others were kept is forgotten.
void UnionCounts::keep(TermUnion wanted, Known known) {
  if (young_.size() >= kept_) {
    old_ = std::move(young_);
    young_ = {};
  }
  young_.insert_or_assign(std::move(wanted), std::move(known));
}

std::size_t UnionCounts::size() const {
  const std::lock_guard lock(mutex_);
  return young_.size() + old_.size();
}

UnionCounts& union_counts() {
  static UnionCounts counts;
  return counts;
}

}  // namespace gannet::query
