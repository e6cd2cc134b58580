// What a tile codec says of itself: its declared capabilities.
#pragma once

#include <cstdint>

namespace gannet::codecs {

/// The optional parts of a tile codec. What is declared here must exist with the signature that
/// concepts.hpp gives, and what exists must be declared: both are checked where a codec is
/// registered. Nothing else asks whether a codec has a member.
struct TileTraits {
  /// Docids are coded as gaps (docid - previous - 1), not as they are.
  bool gaps = false;
  /// Made for posting lists. The usual scoring kernel knows only these; an index with another codec
  /// is served by a second, larger kernel.
  bool posting = true;
  /// Values are sums of those before them: decoding waits for scans over the lanes.
  bool prefix_sums = false;
  /// next_full: a host form of next() for full tiles.
  bool full_tiles = false;
  /// value: a single value, without decoding its tile.
  bool single_values = false;
  /// boundary, extent_between: the index of the list says where a tile starts.
  bool boundaries = false;
  /// next_wide: decodes four full tiles together. Wants boundaries.
  bool wide = false;
  /// sum_groups: adds values up without giving them. Wants boundaries.
  bool sums = false;
  /// lengths_extent: a second stream, that of lengths, of which a tile takes this many words at
  /// most. 0: there is none.
  std::uint32_t lengths_words = 0;
  /// Words of scratch memory that next_wide and sum_groups need for a warp.
  std::uint32_t scratch_words = 0;
};

}  // namespace gannet::codecs
