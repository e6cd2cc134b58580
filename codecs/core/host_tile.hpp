// Decoding one tile on the host, by next_full() where the codec declares it.
#pragma once

#include <cstdint>

#include "codecs/core/codec.hpp"

namespace gannet::codecs {

/// Decodes tile `tile` of a validated list in host memory to out[0 .. tile_size()). The cursor must
/// stand before the tile; the function advances it to the next one. Thread-safe for different
/// cursors.
template <class C>
void next_tile_on_host(ListView list, std::uint32_t tile, typename C::Cursor& cursor,
                       std::uint32_t* out) {
  const std::uint32_t size = tile_size(list.count, tile);
  if constexpr (C::traits.full_tiles) {
    if (size == kTile) {
      C::next_full(list, tile, cursor, out);
      return;
    }
  }
  SerialLanes::Var<Quad> quads;
  C::next(SerialLanes{}, list, Payload{list.words, 0}, tile, cursor, quads);
  for (std::uint32_t i = 0; i < size; ++i) out[i] = quads[i / 4].value[i % 4];
}

}  // namespace gannet::codecs
