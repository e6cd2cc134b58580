// Which atom holds a given group of a WAH vector: one look-up, in metadata of 2 bits per group.
//
// The paper's stage-4 metadata ("WordIndex") is the atom of every group, 32 bits each. The same in
// small: what its stage 3 makes, the marks of the groups that end an atom, as a bit vector, and the
// WordIndex of every 32nd group only. Any group's atom is then that sample plus the marks between,
// one population count: all 32 lanes of a warp find their atoms from one 8-byte load. Where a fill
// covers all 32 groups the entry says so, and there is no atom to look for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/core/bits.hpp"
#include "codecs/wah/wah.hpp"

namespace gannet::wah {

/// Groups that share an entry.
inline constexpr std::uint32_t kRankGroups = 32;
/// Vectors have a multiple of this number of entries: 32 bytes.
inline constexpr std::uint32_t kRankPadding = 4;

/// Where 32 groups of a vector stand.
struct alignas(8) RankEntry {
  /// Of the first of them, counted from the vector's first; or a constant below.
  std::uint32_t atom;
  std::uint32_t ends;  ///< bit i: group i is the last of its atom
};

/// Instead of an atom: all 32 groups are zeros, or ones.
inline constexpr std::uint32_t kRankZeros = 0x80000000u;
inline constexpr std::uint32_t kRankOnes = 0xc0000000u;

/// The atom of group `i` (0..31) of an entry that has atoms.
GANNET_HD std::uint32_t atom_of(RankEntry entry, std::uint32_t i) {
  return entry.atom + codecs::popcount(entry.ends & ((1u << i) - 1));
}

/// Group `i` (0..31) of an entry. `atoms` are the vector's.
template <class Word>
GANNET_HD Word group_of(RankEntry entry, std::uint32_t i, const Word* atoms) {
  if (entry.atom == kRankZeros) return 0;
  if (entry.atom == kRankOnes) return codecs::WahAtom<Word>::kFull;
  return codecs::WahAtom<Word>::group(atoms[atom_of(entry, i)]);
}

/// The entry of 32 groups whose first is in atom `atom`, which reads `bits`.
template <class Word>
GANNET_HD RankEntry rank_entry(std::uint32_t atom, std::uint32_t ends, Word bits) {
  const bool one_atom = (ends & (kRankZeros - 1)) == 0;
  if (one_atom && codecs::WahAtom<Word>::is_fill(bits)) {
    return {codecs::WahAtom<Word>::is_ones(bits) ? kRankOnes : kRankZeros, 0};
  }
  return {atom, ends};
}

/// Entries of a vector of `groups` groups.
GANNET_HD constexpr std::uint64_t rank_entries(std::uint64_t groups) {
  constexpr std::uint64_t kUnit = kRankGroups * kRankPadding;
  return (groups / kUnit + (groups % kUnit != 0 ? 1 : 0)) * kRankPadding;
}

/// The entries of a validated vector. Groups behind the vector's last count as being in its last
/// atom; whole entries behind it are zeros.
template <class Word>
std::vector<RankEntry> make_ranks(std::span<const Word> atoms, std::uint64_t groups) {
  std::vector<RankEntry> entries(rank_entries(groups), RankEntry{kRankZeros, 0});
  std::uint64_t group = 0;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const std::uint64_t length = codecs::WahAtom<Word>::length(atoms[i]);
    // Entries whose first group is in this atom.
    for (std::uint64_t entry = (group + kRankGroups - 1) / kRankGroups;
         entry * kRankGroups < group + length; ++entry) {
      entries[entry].atom = static_cast<std::uint32_t>(i);
    }
    group += length;
    const std::uint64_t last = group - 1;
    if (i + 1 < atoms.size()) entries[last / kRankGroups].ends |= 1u << (last % kRankGroups);
  }
  for (RankEntry& entry : entries) {
    if (entry.atom != kRankZeros) entry = rank_entry(entry.atom, entry.ends, atoms[entry.atom]);
  }
  return entries;
}

}  // namespace gannet::wah
