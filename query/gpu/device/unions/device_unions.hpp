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

/// Unions that were asked for last, of all segments of an index, by their terms. If they take more
/// than `bytes`, or if other owners need the memory, those that were asked for longest ago go;
/// those in use stay. Thread-safe. The device must be current.
class DeviceUnions {
 public:
  static constexpr std::uint64_t kBytes = std::uint64_t{256} << 20;
  /// Unions in use that of() passes over, at most, in search of others that can go: a call may use
  /// tens of thousands.
  static constexpr std::size_t kPassed = 64;

  /// `list_stats` has statistics by the unions' numbers: it is cleared when too many are of unions
  /// that are gone. `budget`: that of the device. All must outlive this.
  DeviceUnions(std::span<const DeviceSegment> segments, ListStatsCache& list_stats,
               MemoryBudget& budget, std::uint64_t bytes = kBytes);

  /// The union `list` of a segment, if it is on the device; else null. The device need not be
  /// current.
  std::shared_ptr<const DeviceUnion> find(std::size_t segment, const MadeList& list);
  /// The same; copied now if it is not on the device. Throws DeviceMemoryError.
  std::shared_ptr<const DeviceUnion> of(std::size_t segment,
                                        const std::shared_ptr<const MadeList>& list);
  /// Frees unions that are not in use, until the others take no more than `bytes`. Call it when a
  /// call has ended.
  void trim();
  /// Bytes of device memory.
  std::uint64_t bytes() const;

 private:
  /// Compared by terms, not by address: a list may have been merged anew meanwhile, or another one
  /// where it was. The list is that of the entry's own DeviceUnion, or outlives the look-up.
  struct Key {
    std::size_t segment;
    const MadeList* list;
    bool operator==(const Key& other) const;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const { return key.list->hash() + key.segment; }
  };
  struct Entry {
    std::size_t segment;
    std::shared_ptr<const DeviceUnion> made;
    Key key() const { return {segment, made->list().get()}; }
  };
  using Unions = std::list<Entry>;

  std::shared_ptr<const DeviceUnion> find_here(const Key& key);
  index::TermId next_number(std::size_t segment);
  Unions throw_away(std::uint64_t bytes, std::size_t passed);
  bool give_back(std::uint64_t bytes);

  std::span<const DeviceSegment> segments_;
  ListStatsCache& list_stats_;
  const std::uint64_t room_;
  mutable std::mutex mutex_;  ///< of what follows
  Unions unions_;             ///< the last one used first
  std::unordered_map<Key, Unions::iterator, Hash> places_;
  std::vector<index::TermId> next_;  ///< by segment
  std::uint64_t bytes_ = 0;
  /// Approximately the bytes that statistics take of unions that are no longer on the device.
  std::uint64_t stale_bytes_ = 0;
  MemoryBudget::Owner owner_;  ///< last, since it refers to the members above
};

}  // namespace gannet::query::cuda
