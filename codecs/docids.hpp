// Docids of posting lists on top of any tile codec: gap coding, and decoding gaps to docids.
//
// The docids of a list ascend strictly. A codec with traits.gaps encodes docid - previous docid - 1
// (the first docid unchanged). Every other codec encodes the docids themselves.
#pragma once

#include "codecs/core/codec.hpp"

namespace gannet::codecs {

/// Stands for the docid before the first docid of a list: kBeforeFirst + first gap + 1 is the first
/// docid, modulo 2^32.
inline constexpr std::uint32_t kBeforeFirst = 0xffffffffu;

/// The gaps of strictly ascending `docids`, as a codec with traits.gaps encodes them: one gap for
/// each docid. The function does not check the order. Time and memory are linear in the list.
inline std::vector<std::uint32_t> gaps_of(std::span<const std::uint32_t> docids) {
  std::vector<std::uint32_t> gaps(docids.size());
  std::uint32_t previous = kBeforeFirst;
  for (std::size_t i = 0; i < docids.size(); ++i) {
    gaps[i] = docids[i] - previous - 1;
    previous = docids[i];
  }
  return gaps;
}

/// Decodes tiles of docids. `Codec` is any tile codec, and the list has passed its validate(). All
/// functions are thread-safe; a cursor is used by one thread or one warp.
template <class Codec>
struct DocidTiles {
  struct Cursor {
    typename Codec::Cursor values;
    /// With traits.gaps: the last docid before the next tile, or kBeforeFirst. Else unused.
    std::uint32_t previous;
  };

  /// A cursor at the beginning of `tile`. `previous` is the last docid before `tile`: kBeforeFirst
  /// for tile 0, else the last docid of tile - 1, which the list's skip data contain.
  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes lanes, ListView list, std::uint32_t tile,
                               std::uint32_t previous) {
    return {Codec::seek(lanes, list, tile, previous), previous};
  }

  /// Decodes `tile`, at which the cursor stands, to docids and moves the cursor to the next tile.
  /// Positions beyond the end of the list hold the last docid (with traits.gaps) or 0: callers mask
  /// them by position.
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
