// The merged lists of unions of terms that are on a device.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "query/gpu/device/index/device_segments.hpp"
#include "query/gpu/device/list_stats/list_stats_cache.hpp"
#include "query/gpu/device/unions/device_union.hpp"
#include "query/memory/memory_budget.hpp"

namespace gannet::query::cuda {

/// Unions that were asked for last, of all segments of an index. If they take more than `bytes`, or
/// if other owners need the memory, those that were asked for longest ago go; those in use stay.
/// Thread-safe. The device must be current.
class DeviceUnions {
 public:
  static constexpr std::uint64_t kBytes = std::uint64_t{256} << 20;

  /// `list_stats` has statistics by the unions' numbers: it is cleared when too many are of unions
  /// that are gone. `budget`: that of the device. All must outlive this.
  DeviceUnions(std::span<const DeviceSegment> segments, ListStatsCache& list_stats,
               MemoryBudget& budget, std::uint64_t bytes = kBytes);

  /// The union, if it is on the device; else null. The device need not be current.
  std::shared_ptr<const DeviceUnion> find(const UnionList& list);
  /// The union `list` of a segment; copied now if it is not on the device. Throws
  /// DeviceMemoryError.
  std::shared_ptr<const DeviceUnion> of(std::size_t segment,
                                        const std::shared_ptr<const UnionList>& list);
  /// Bytes of device memory.
  std::uint64_t bytes() const;

 private:
  using Unions = std::list<std::shared_ptr<const DeviceUnion>>;

  std::shared_ptr<const DeviceUnion> find_here(const UnionList& list);
  index::TermId next_number(std::size_t segment);
  Unions throw_away(std::uint64_t bytes);
  bool give_back(std::uint64_t bytes);

  std::span<const DeviceSegment> segments_;
  ListStatsCache& list_stats_;
  const std::uint64_t room_;
  mutable std::mutex mutex_;  ///< of what follows
  Unions unions_;             ///< the last one used first
  std::unordered_map<const UnionList*, Unions::iterator> places_;
  std::vector<index::TermId> next_;  ///< by segment
  std::uint64_t bytes_ = 0;
  /// Approximately the bytes that statistics take of unions that are no longer on the device.
  std::uint64_t stale_bytes_ = 0;
  MemoryBudget::Owner owner_;  ///< last, since it refers to the members above
};

}  // namespace gannet::query::cuda
