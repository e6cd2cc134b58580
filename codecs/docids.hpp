// Posting lists of docids on top of any codec: gap coding, and decoding back to docids.
//
// Docids of a list are strictly ascending. A codec with `gaps` codes docid - previous docid - 1
// (the first docid as it is); any other codes the docids themselves.
#pragma once

#include "codecs/core/codec.hpp"

namespace gannet::codecs {

/// "The docid before the first one": adding a first gap + 1 to it gives the first docid.
inline constexpr std::uint32_t kBeforeFirst = 0xffffffffu;

/// The values that a gap-coding codec stores for strictly ascending `docids`.
inline std::vector<std::uint32_t> gaps_of(std::span<const std::uint32_t> docids) {
  std::vector<std::uint32_t> gaps(docids.size());
  std::uint32_t previous = kBeforeFirst;
  for (std::size_t i = 0; i < docids.size(); ++i) {
    gaps[i] = docids[i] - previous - 1;
    previous = docids[i];
  }
  return gaps;
}

/// Decodes tiles of docids. `Codec` is any of tile_codecs.hpp.
template <class Codec>
struct DocidTiles {
  struct Cursor {
    typename Codec::Cursor values;
    std::uint32_t previous;  ///< docid before the next tile, or kBeforeFirst
  };

  /// A cursor before `tile`, given the docid before it: kBeforeFirst for tile 0, else the last
  /// docid of tile - 1, as the list's skip data has it.
  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes lanes, ListView list, std::uint32_t tile,
                               std::uint32_t previous) {
    return {Codec::seek(lanes, list, tile, previous), previous};
  }

  /// Decodes `tile` to docids and advances the cursor. Lanes beyond the end of the list repeat the
  /// last docid of the list or hold 0: callers mask them by position.
  template <class Lanes>
  GANNET_HD static void next(Lanes lanes, ListView list, Payload payload, std::uint32_t tile,
                             Cursor& cursor, typename Lanes::template Var<Quad>& out) {
    Codec::next(lanes, list, payload, tile, cursor.values, out);
    if constexpr (Codec::traits.gaps) sum_gaps(lanes, tile_size(list.count, tile), cursor, out);
  }

 private:
  template <class Lanes>
  GANNET_HD static void sum_gaps(Lanes lanes, std::uint32_t size, Cursor& cursor,
                                 typename Lanes::template Var<Quad>& out) {
    typename Lanes::template Var<std::uint32_t> before;
    lanes.each([&](std::uint32_t lane) {
      std::uint32_t total = 0;
      for (std::uint32_t i = 0; i < 4; ++i) {
        total += out[lane].value[i] + (4 * lane + i < size ? 1 : 0);
        out[lane].value[i] = total;
      }
      before[lane] = total;
    });
    const std::uint32_t total = lanes.exclusive_scan(before);
    lanes.each([&](std::uint32_t lane) {
      for (std::uint32_t i = 0; i < 4; ++i) {
        out[lane].value[i] += cursor.previous + before[lane];
      }
    });
    cursor.previous += total;
  }
};

}  // namespace gannet::codecs
