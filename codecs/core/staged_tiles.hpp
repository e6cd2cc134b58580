// The input of the wide forms of tile decoders: full tiles whose words are staged.
//
// next() decodes any tile and reads only words of the list. Decoding a list on the device stages
// the payload of several tiles in shared memory, and must keep the memory busy. There next_wide()
// decodes four full tiles at once, so that their steps overlap. It may read up to kOverread words
// behind a payload, so that it needs no branches for the last words.
#pragma once

#include <cstdint>

#include "codecs/core/tile.hpp"

namespace gannet::codecs {

/// Full tiles that one call of next_wide() decodes.
inline constexpr std::uint32_t kWideTiles = 4;

/// Tiles of a full group: kernels stage them together, and sum_groups() adds up their values. The
/// values of a group are a multiple of every codec's block.
inline constexpr std::uint32_t kGroupTiles = 8;

/// Words behind a payload, and behind lengths, that wide forms may read. The words must be
/// readable; their values do not matter.
inline constexpr std::uint32_t kOverread = 4;

/// The input of a wide form: full tiles of a list, whose words are staged. The struct owns no
/// memory.
struct StagedTiles {
  ListView list;
  Payload payload;
  Payload lengths;                  ///< only for codecs with a second stream (lengths_extent())
  const std::uint32_t* boundaries;  ///< of each tile from the first decoded one on, and of the end
  std::uint32_t* scratch;           ///< traits.scratch_words words for the warp, 16-byte aligned
};

/// The values of one lane in kWideTiles tiles.
struct WideQuads {
  Quad tile[kWideTiles];
};

}  // namespace gannet::codecs
