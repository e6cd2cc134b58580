// What the wide forms of tile decoders are given: full tiles whose words are staged.
//
// next() decodes any tile, from words of which none may be read in vain. Device-wide decoding
// stages the payload of several tiles in shared memory, and has time for one thing only: to keep
// the memory busy. There next_wide() decodes four full tiles at once, so that their steps overlap,
// and may read up to kOverread words behind a payload.
#pragma once

#include <cstdint>

#include "codecs/core/tile.hpp"

namespace gannet::codecs {

/// Full tiles that next_wide decodes at a time.
inline constexpr std::uint32_t kWideTiles = 4;

/// Tiles that are staged and summed up together; a multiple of every codec's block.
inline constexpr std::uint32_t kGroupTiles = 8;

/// Words behind a payload that wide forms may read, whatever they hold.
inline constexpr std::uint32_t kOverread = 4;

/// What a wide form reads: tiles of a list, all of them full, whose words are staged.
struct StagedTiles {
  ListView list;
  Payload payload;
  Payload lengths;                  ///< of codecs that have a second stream (lengths_extent)
  const std::uint32_t* boundaries;  ///< of the tile that is decoded first, and those behind it
  std::uint32_t* scratch;           ///< traits.scratch_words, of all lanes together, on 16 bytes
};

/// A lane's values of kWideTiles tiles.
struct WideQuads {
  Quad tile[kWideTiles];
};

}  // namespace gannet::codecs
