// Upper bounds of what a list can add to a score, for every 64 documents, and where its tiles are.
//
// Made from the compressed list when it is first asked for, not stored: they depend on the scorer
// and its parameters. After: Mallia, Suel, Tonellotto, "Faster Learned Sparse Retrieval with
// Block-Max Pruning", SIGIR 2024, section 3 (ranges of documents, 8-bit bounds).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "index/index.hpp"
#include "query/bounds/contribution.hpp"
#include "query/bounds/ranges.hpp"

namespace gannet::query {

/// Ranges of a segment, rounded up to whole vectors: all arrays of ranges have this many elements.
constexpr std::uint32_t padded_ranges(std::uint64_t documents) {
  return static_cast<std::uint32_t>((documents + kRange * kRange - 1) / (kRange * kRange) * kRange);
}

/// Where tiles of a list begin: of each superblock the first tile that reaches into it. 16 bits a
/// superblock, and 32 bits for every 64 of them.
class TilePointers {
 public:
  TilePointers() = default;
  explicit TilePointers(const index::PostingList& list, std::uint64_t documents);

  /// The first tile whose last docid is >= `superblock` * kSuperblock; the number of tiles if there
  /// is none.
  std::uint32_t first_tile(std::uint32_t superblock) const {
    return bases_[superblock / kGroup] + steps_[superblock];
  }
  std::uint64_t bytes() const { return 4 * bases_.size() + 2 * steps_.size(); }
  /// Bytes that pointers of a list take in a segment of `documents` documents.
  static std::uint64_t bytes_for(std::uint64_t documents);

 private:
  static constexpr std::uint32_t kGroup = kPointerGroup;

  std::vector<std::uint32_t> bases_;
  std::vector<std::uint16_t> steps_;
};

/// Ranks whose contributions the host knows of each list: those of usual numbers of hits, and
/// others between and beyond them, for searches with a filter, which look at the rank of so many
/// documents more as the filter holds back.
inline constexpr std::array<std::uint32_t, 8> kListRanks{10,   32,   100,   320,
                                                         1000, 3200, 10000, 100000};

/// Of the contributions at some ranks, ascending, one that at least k documents reach; 0 if that is
/// not known.
float reached_by(std::span<const float> at_rank, std::span<const std::uint32_t> ranks,
                 std::uint64_t k);

/// What is known of one list for one scorer with its parameters. Immutable.
struct ListBounds {
  /// The list, checked.
  index::PostingList list;
  /// The contributions, at weight 1, that the bounds are of.
  Contribution unit;
  /// The largest of them.
  float largest = 0;
  /// One a range, padded_ranges() in all: code * largest / 255 is at least every contribution in
  /// the range; 0 if and only if it has no posting.
  std::vector<std::uint8_t> codes;
  TilePointers pointers;

  /// At least `k` documents that are not deleted have a contribution, at weight 1, of at least
  /// this. 0 if that is not known.
  float reached_by(std::uint64_t k) const { return query::reached_by(at_rank, kListRanks, k); }

  std::uint64_t bytes() const { return sizeof(*this) + codes.size() + pointers.bytes(); }

  /// Lower bounds of the contributions at the ranks kListRanks of what the list has of documents
  /// that are not deleted; 0 where that is less.
  std::array<float, kListRanks.size()> at_rank{};
};

/// Makes the bounds of a list that is not short. Takes some 2 to 5 ns a posting. `unit`:
/// contributions at weight 1. `live`: the segment's documents that are not deleted; null: all. The
/// segment must outlive them. Throws CancelledError.
ListBounds make_list_bounds(const index::Segment& segment, const index::PostingList& list,
                            const Contribution& unit, const std::stop_token& stop,
                            const index::LiveDocuments* live = nullptr);

}  // namespace gannet::query
