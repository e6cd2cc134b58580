// Results while they are being gathered, one object a plan, and their way into flat arrays. For
// back ends.
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "query/plan.hpp"
#include "query/results.hpp"

namespace gannet::query {

/// What one plan has given so far.
struct PartialResult {
  /// kCount and kDocids: documents that match.
  std::uint64_t count = 0;
  /// kTopK: rank keys, best first, no more than k.
  std::vector<std::uint64_t> keys;
  /// kDocids: ascending.
  std::vector<std::uint32_t> docids;

  /// Merges other keys of the same kind, of other documents.
  void merge(std::span<const std::uint64_t> more, std::uint32_t k);
};

/// What one plan gave, as if it were gathered now.
PartialResult partial(const Plan& plan, const ResultView& result);

/// Lays the results of a batch out in flat arrays, in parallel on the calling thread's TBB arena.
Results flatten(std::span<const Plan> plans, std::span<const PartialResult> partial,
                const std::stop_token& stop);

}  // namespace gannet::query
