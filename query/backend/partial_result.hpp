// Results while they are being gathered, one object a plan. For back ends.
#pragma once

#include <boost/container/small_vector.hpp>

#include <span>
#include <stop_token>
#include <vector>

#include "query/plan/plan.hpp"
#include "query/results/results.hpp"

namespace gannet::query {

/// Keys that clear() leaves room for.
inline constexpr std::size_t kKeptKeys = 1024;

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
  /// Empty as at first, but for memory for up to kKeptKeys keys, which the next call takes.
  void clear();
};

/// Of a call, one object a plan, empty at first. Making 10,000 of them takes .1 ms, during which no
/// device has work yet, so that some are kept for later calls: kMaxKept at most, with their keys
/// no more than 256 MB.
class PartialResults {
 public:
  explicit PartialResults(std::size_t plans);

  static constexpr std::size_t kMaxKept = 32768;

  std::span<PartialResult> all() { return std::span(results_).first(plans_); }
  /// Keeps them for later; all are clear(), as ResultLayout leaves them. The end of this object's
  /// life.
  void keep();

 private:
  std::size_t plans_;
  std::vector<PartialResult> results_;
};

/// What one plan gave, as if it were gathered now.
PartialResult partial(const Plan& plan, const ResultView& result);

}  // namespace gannet::query
