#include "query/gpu/plan/columns/counting_way.hpp"

#include <algorithm>
#include <bit>

#include "query/gpu/plan/tuning.hpp"

namespace gannet::query::cuda {
namespace {

/// Up to so many counters go to the host in any case: choosing among them takes longer.
constexpr std::uint64_t kFetched = std::uint64_t{1} << 14;
/// Counters that go to the host at most: 16 MB.
constexpr std::uint64_t kMostFetched = std::uint64_t{1} << 22;
/// Slots of a hash table, or half of the counters, at most: 1 GB.
constexpr std::uint64_t kMostSlots = std::uint64_t{1} << 27;

}  // namespace

std::optional<CountingWay> CountingWay::of(std::uint64_t limit, std::uint64_t values,
                                           std::uint32_t wanted) {
  if (limit <= kFetched) return CountingWay{};
  if (wanted > tuning::kBlockSorted) {
    return limit <= kMostFetched ? std::optional(CountingWay{}) : std::nullopt;
  }
  const Fetched fetched = wanted == 0 ? Fetched::kNumber : Fetched::kLargest;
  // Twice as many slots as there can be codes; a slot takes eight bytes, a counter alone four.
  const std::uint64_t slots = std::bit_ceil(2 * std::min(values, limit) + 2);
  if (limit <= 2 * std::min(slots, kMostSlots)) return CountingWay{fetched, 0};
  if (slots > kMostSlots) return std::nullopt;
  return CountingWay{fetched, static_cast<std::uint32_t>(slots)};
}

}  // namespace gannet::query::cuda
