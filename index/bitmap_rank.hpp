// Which atom holds a given group of a WAH vector: one look-up, in metadata of 2 bits a group.
//
// The paper's stage-4 metadata ("WordIndex") is the atom of every group, 32 bits each. The same in
// small: what its stage 3 makes, the marks of the groups that end an atom, as a bit vector, and the
// WordIndex of every 32nd group only. Any group's atom is then that sample plus the marks between,
// one population count: all 32 lanes of a warp find their atoms from one 8-byte load.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gannet/codecs/bits.hpp"
#include "gannet/codecs/wah.hpp"

namespace gannet::index {

/// Groups that share an entry.
inline constexpr std::uint32_t kRankGroups = 32;

/// Where 32 groups of a vector stand.
struct alignas(8) RankEntry {
  std::uint32_t atom;  ///< of the first of them, counted from the vector's first
  std::uint32_t ends;  ///< bit i: group i is the last of its atom
};

/// The atom of group `i` (0..31) of an entry.
GANNET_HD std::uint32_t atom_of(RankEntry entry, std::uint32_t i) {
  return entry.atom + codecs::popcount(entry.ends & ((1u << i) - 1));
}

/// Entries of a vector of `groups` groups.
GANNET_HD constexpr std::uint64_t rank_entries(std::uint64_t groups) {
  return groups / kRankGroups + (groups % kRankGroups != 0 ? 1 : 0);
}

/// The entries of a validated vector. Groups behind the vector's last count as being in its last
/// atom. Throws nothing but std::bad_alloc.
template <class Word>
std::vector<RankEntry> make_ranks(std::span<const Word> atoms, std::uint64_t groups) {
  std::vector<RankEntry> entries(rank_entries(groups), RankEntry{0, 0});
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
  return entries;
}

}  // namespace gannet::index
