// Scores that k documents of an index of several segments are known to have before any is searched.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "query/device/pruned/knowledge/knowledge_cache.hpp"
#include "query/term_binding.hpp"

namespace gannet::query::cuda {

/// A contribution that at least k documents reach together, of the parts of a list: of one, the
/// k-th largest is known at some ranks only, but a tenth of k may be one of them, and ten parts
/// that have so many are enough. 0 if it is not known.
float reached_together(std::span<const KnownList* const> parts, std::uint32_t k);

/// By plan of a call. The first segment would else begin with what its own lists reach, which is as
/// much less as it is smaller than the index, and search more of its documents.
class StartFloors {
 public:
  /// `segments`: the numbers of those that are searched. All arguments must outlive it.
  StartFloors(const KnowledgeCache::Segments& knowledge, std::span<const std::size_t> segments,
              const BoundPlans& plans);

  /// Finds out for a disjunction without a filter. Several threads may, for different plans.
  void find(std::size_t plan);
  /// 0 if nothing is known.
  float of(std::size_t plan) const { return floors_.empty() ? 0 : floors_[plan]; }

 private:
  float of_term(std::size_t plan, std::size_t term) const;

  const KnowledgeCache::Segments& knowledge_;
  std::span<const std::size_t> segments_;
  const BoundPlans& plans_;
  std::vector<float> floors_;  ///< none if there is one segment
};

}  // namespace gannet::query::cuda
