// What a warp keeps in shared memory while it searches a unit: up to kUnitSuperblocks superblocks
// of one query.
#pragma once

#include "query/device/pruned/tables.hpp"

namespace gannet::query::cuda {

/// Ranges of a unit.
inline constexpr std::uint32_t kUnitRanges = kUnitSuperblocks * kRangesPerSuperblock;
/// Most ranges that frequencies are kept of at a time, and bytes for them.
inline constexpr std::uint32_t kMaxSlots = 12;
inline constexpr std::uint32_t kFrequencyBytes = 4352;
/// Tiles that wait to be decoded, and documents that wait to be scored.
inline constexpr std::uint32_t kTaskRoom = 64;
inline constexpr std::uint32_t kCandidateRoom = 64;
/// A frequency of this or more is kept as this; the exact one is looked up where it is needed.
inline constexpr std::uint32_t kLargeFrequency = 255;

/// Ranges whose frequencies fit, for a query of so many terms: of each term as many rows of 64
/// bytes, and one more for postings that nobody needs.
constexpr std::uint32_t slots_of(std::uint32_t terms) {
  const std::uint32_t rows = kFrequencyBytes / (kRange * terms);
  return rows - 1 < kMaxSlots ? rows - 1 : kMaxSlots;
}
static_assert(slots_of(5) == kMaxSlots && slots_of(kMaxPrunedTerms) >= 1);

/// A document that the bounds of its range do not rule out.
struct Candidate {
  std::uint32_t docid;
  std::uint32_t place;  ///< of its frequencies, in each term's rows
};

/// A tile that is to be decoded for one superblock.
template <class Place>
struct TileTask {
  std::uint32_t tile;
  std::uint32_t before;  ///< the docid before it
  std::uint32_t owner;   ///< term | item << 8
  Place place;
};

/// The part whose size does not depend on the query's terms.
template <class Place>
struct UnitMemory {
  union {
    TileTask<Place> tasks[kTaskRoom];
    Candidate candidates[kCandidateRoom];
  };
  alignas(16) std::uint8_t frequencies[kFrequencyBytes];
  /// Of an item's ranges 0 .. 15, and of whatever lies outside of it: 16. The last slot is for
  /// postings that nobody needs.
  std::uint8_t slot_of_range[kUnitSuperblocks][20];
  std::uint8_t range_of_slot[16];  ///< item * 16 + range
  std::uint32_t superblocks[kUnitSuperblocks];

  /// With the terms behind it, and behind them their bounds' codes: kUnitRanges a term.
  static constexpr std::uint32_t bytes(std::uint32_t terms) {
    return static_cast<std::uint32_t>(sizeof(UnitMemory)) +
           terms * (static_cast<std::uint32_t>(sizeof(PrunedTerm)) + kUnitRanges);
  }
  GANNET_HD PrunedTerm* terms() { return reinterpret_cast<PrunedTerm*>(this + 1); }
};

}  // namespace gannet::query::cuda
