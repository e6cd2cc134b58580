// A list with bounds: which documents of a range it has, decoding only the tiles that are asked
// for.
#pragma once

#include <cstdint>

#include "index/index.hpp"
#include "query/bounds/list_bounds.hpp"
#include "query/cpu/pruned/kernels.hpp"

namespace gannet::query {

/// Ranges may be asked for in any order; in ascending order each tile is decoded once. Not
/// thread-safe. Needs the segment and the bounds to stay alive.
class DenseList {
 public:
  /// Starts with a list; what is decoded of another one is left where it is, as writing over it
  /// would cost more than a short search.
  void reset(const ListBounds& bounds) {
    list_ = bounds.list;
    bounds_ = &bounds;
    tiles_ = list_.tiles();
    tile_ = frequency_tile_ = asked_tile_ = kNoTile;
    tiles_decoded_ = 0;
  }

  /// The code of the range's bound; 0: it has no posting there.
  std::uint32_t code(std::uint32_t range) const { return bounds_->codes[range]; }

  /// The documents of a range that the list has, as bits.
  std::uint64_t map(std::uint32_t range, const PrunedKernels& kernels);

  /// The term frequencies of n postings of that range, each given by how many others are before it
  /// in the range.
  void frequencies(const std::uint8_t* ranks, std::uint32_t n, std::uint32_t* out);

  /// Since the last call.
  std::uint64_t take_tiles_decoded() {
    const std::uint64_t tiles = tiles_decoded_;
    tiles_decoded_ = 0;
    return tiles;
  }

 private:
  static constexpr std::uint32_t kNoTile = 0xffffffffu;

  bool enter(index::Docid first);
  void load(std::uint32_t tile);
  bool decode_frequencies(std::uint32_t tile);

  index::PostingList list_;
  const ListBounds* bounds_ = nullptr;
  std::uint32_t tiles_ = 0;
  std::uint32_t tile_ = kNoTile;  ///< the decoded one
  std::uint32_t position_ = 0;    ///< where the last range begins in it
  std::uint32_t start_ = 0;       ///< the first posting of the last range, within the list
  index::Docid first_ = 0;        ///< documents from here on begin in the tile, or after it
  index::Docid last_ = 0;         ///< of the tile
  std::uint32_t frequency_tile_ = kNoTile;  ///< whose frequencies are decoded
  std::uint32_t asked_tile_ = kNoTile;      ///< of which single frequencies were asked for
  std::uint32_t asked_ = 0;                 ///< how many
  std::uint64_t tiles_decoded_ = 0;
  alignas(64) std::uint32_t docids_[codecs::kTile] = {};
  alignas(64) std::uint32_t frequencies_[codecs::kTile] = {};
};

}  // namespace gannet::query
