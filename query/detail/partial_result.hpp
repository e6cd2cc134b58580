// Results while they are being gathered, one object a plan. For back ends.
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

/// Of a call, one object a plan, empty at first. Thousands of them are longer about than the first
/// batch of a search, so that some are kept for later calls.
class PartialResults {
 public:
  explicit PartialResults(std::size_t plans);

  std::span<PartialResult> all() { return std::span(results_).first(plans_); }
  /// All are empty again, as ResultLayout leaves them: keeps them. The end of this object's life.
  void keep();

 private:
  std::size_t plans_;
  std::vector<PartialResult> results_;
};

/// What one plan gave, as if it were gathered now.
PartialResult partial(const Plan& plan, const ResultView& result);

}  // namespace gannet::query
