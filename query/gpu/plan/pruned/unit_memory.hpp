// Shared memory of a warp while it searches a unit: up to kUnitSuperblocks superblocks of one
// segment, for one query.
#pragma once

#include "query/gpu/plan/pruned/tables.hpp"

namespace gannet::query::cuda {

/// Ranges of a unit.
inline constexpr std::uint32_t kUnitRanges = kUnitSuperblocks * kRangesPerSuperblock;
/// Bytes for the postings of lists in ranges. Each pair of a list and a range has a map of the
/// documents, and the number of the first posting.
inline constexpr std::uint32_t kMapBytes = 3840;
inline constexpr std::uint32_t kBytesPerMap = sizeof(std::uint64_t) + sizeof(std::uint32_t);
/// Groups that can wait to be decoded, and documents that can wait to be scored.
inline constexpr std::uint32_t kTaskRoom = 64;
inline constexpr std::uint32_t kCandidateRoom = 64;
/// The slot of a range that has none.
inline constexpr std::uint8_t kNoSlot = 0xff;

/// Slots for ranges in a unit's memory, for a query of `terms` terms.
constexpr std::uint32_t slots_of(std::uint32_t terms) {
  const std::uint32_t fitting = kMapBytes / (kBytesPerMap * terms);
  return fitting < kUnitRanges ? fitting : kUnitRanges;
}
static_assert(slots_of(5) == kUnitRanges && slots_of(kMaxPrunedTerms) >= 8);

/// A document that the bounds of its range do not rule out.
struct Candidate {
  std::uint32_t docid;
  std::uint32_t slot;  ///< of its range
};

/// A group of postings to be decoded for one superblock.
template <class Place>
struct GroupTask {
  std::uint32_t group;
  std::uint32_t before;  ///< the docid before it
  std::uint32_t owner;   ///< term | item << 8
  Place place;
};

/// The memory whose size does not depend on the query's terms. The terms follow it.
template <class Place>
struct UnitMemory {
  union {
    GroupTask<Place> tasks[kTaskRoom];
    Candidate candidates[kCandidateRoom];
  };
  /// For each term, slot by slot, the documents of the range as bits; behind all of them, in this
  /// order too, the numbers of the first postings.
  alignas(16) std::uint64_t maps[kMapBytes / sizeof(std::uint64_t)];
  /// The slots of an item's ranges 0 .. 15; 16 stands for documents outside of the item.
  std::uint8_t slot_of_range[kUnitSuperblocks][20];
  std::uint8_t range_of_slot[kUnitRanges];  ///< item * 16 + range
  std::uint32_t superblocks[kUnitSuperblocks];

  /// Bytes of this, the terms behind it, and behind them the codes of their bounds: kUnitRanges per
  /// term.
  static constexpr std::uint32_t bytes(std::uint32_t terms) {
    return static_cast<std::uint32_t>(sizeof(UnitMemory)) +
           terms * (static_cast<std::uint32_t>(sizeof(PrunedTerm)) + kUnitRanges);
  }
  GANNET_HD PrunedTerm* terms() { return reinterpret_cast<PrunedTerm*>(this + 1); }
};

}  // namespace gannet::query::cuda
