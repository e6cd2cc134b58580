// The optional parts that a tile codec declares.
#pragma once

#include <cstdint>

namespace gannet::codecs {

/// Properties and optional parts of a tile codec. A declared part must exist with the signature in
/// concepts.hpp, and an existing part must be declared. The compiler checks both where a codec is
/// registered. Other code asks the traits, not whether a codec has a member.
struct TileTraits {
  /// Docids are coded as gaps (docid - previous docid - 1). Otherwise the docids themselves are
  /// coded.
  bool gaps = false;
  /// The codec is meant for posting lists. The usual scoring kernel has only codecs with this
  /// trait. An index with another codec is searched by a second, larger kernel.
  bool posting = true;
  /// Values are sums of earlier values: decoding needs scans over the lanes.
  bool prefix_sums = false;
  /// next_full(): a form of next() for full tiles, on the host only.
  bool full_tiles = false;
  /// value(): a single value without decoding its tile, on the host only.
  bool single_values = false;
  /// boundary(), extent_between(): the index of the list says where a tile starts.
  bool boundaries = false;
  /// next_wide(): decodes four full tiles together. Requires `boundaries`.
  bool wide = false;
  /// sum_groups(): adds up values without decoding them one by one. Requires `boundaries`.
  bool sums = false;
  /// lengths_extent(): the lists have a second stream, with lengths. Words of the second stream per
  /// tile at most, for kGroupTiles tiles together. 0: there is no second stream.
  std::uint32_t lengths_words = 0;
  /// Words of scratch memory that next_wide() and sum_groups() need for a warp. 0: they need none.
  std::uint32_t scratch_words = 0;
};

}  // namespace gannet::codecs
