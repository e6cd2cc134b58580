// Results while they are being gathered, one object a plan, and their way into flat arrays. For
// back ends.
#pragma once

#include <boost/container/small_vector.hpp>

#include <span>
#include <stop_token>
#include <vector>

#include "query/plan.hpp"
#include "query/results.hpp"

namespace gannet::query {

/// What one plan has given so far.
// A small_vector of the same allocator is moved without memory of its own, which clang-tidy does
// not know. NOLINTNEXTLINE(bugprone-exception-escape)
struct PartialResult {
  /// kCount and kDocids: documents that match.
  std::uint64_t count = 0;
  /// kTopK: rank keys, best first, no more than k. Few lie in the object: memory for those of each
  /// plan would cost more than they do.
  boost::container::small_vector<std::uint64_t, 12> keys;
  /// kDocids: ascending.
  std::vector<std::uint32_t> docids;

  /// Merges other keys of the same kind, of other documents.
  void merge(std::span<const std::uint64_t> more, std::uint32_t k);
};

/// What one plan gave, as if it were gathered now.
PartialResult partial(const Plan& plan, const ResultView& result);

/// Lays the results of a batch out in flat arrays, in parallel on the calling thread's TBB arena,
/// and gives their memory back, which one thread would be long about: `partial` is empty then.
Results flatten(std::span<const Plan> plans, std::span<PartialResult> partial,
                const std::stop_token& stop);

/// What one part of an index gave, by plan.
struct FoundPart {
  std::span<PartialResult> results;
  std::uint32_t docid_base = 0;  ///< of its first document in the whole
};

/// The same of parts, in the order of their documents: merges what they gave of a plan as it is
/// laid out, for another list of all hits would cost as much again.
Results flatten_parts(std::span<const Plan> plans, std::span<const FoundPart> parts,
                      const std::stop_token& stop);

}  // namespace gannet::query
