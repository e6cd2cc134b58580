// none: 32-bit words as they are, the uncompressed baseline.
//
// Format: value i is word i. Docids are stored as they are, not as gaps.
#pragma once

#include <algorithm>

#include "codecs/core/codec.hpp"
#include "codecs/core/faults.hpp"
#include "codecs/core/staged_tiles.hpp"

namespace gannet::codecs {

struct RawTiles {
  static constexpr std::string_view name = "none";
  static constexpr CodecId id = id_of(CodecKind::kTiles, name);
  static constexpr std::uint32_t block = kTile;
  static constexpr TileTraits traits{.full_tiles = true, .boundaries = true, .wide = true};

  static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    append_bytes(std::as_bytes(values), words);
  }

  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    validate_blocks<RawTiles>(words, count);
  }

  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    return words.size == count ? nullptr : "it has not as many words as values";
  }
  GANNET_HD static Fault block_fault(WordView, std::uint32_t, std::uint32_t) { return nullptr; }

  static constexpr std::uint32_t tile_words = kTile;

  GANNET_HD static Extent extent(ListView list, std::uint32_t first, std::uint32_t last) {
    const std::uint32_t end = last * kTile;
    return {first * kTile, end < list.count ? end : list.count};
  }

  struct Cursor {};

  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes, ListView, std::uint32_t) {
    return {};
  }

  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes, ListView, std::uint32_t, std::uint32_t) {
    return {};
  }

  template <class Lanes>
  GANNET_HD static void next(Lanes lanes, ListView list, Payload payload, std::uint32_t tile,
                             Cursor&, typename Lanes::template Var<Quad>& out) {
    const std::uint32_t size = tile_size(list.count, tile);
    const std::uint32_t* values = payload.at(tile * kTile);
    lanes.each([&](std::uint32_t lane) {
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t index = 4 * lane + i;
        out[lane].value[i] = index < size ? values[index] : 0;
      }
    });
  }

  GANNET_HD static std::uint32_t boundary(ListView, std::uint32_t tile) { return tile * kTile; }

  GANNET_HD static Extent extent_between(ListView, std::uint32_t, std::uint32_t begin,
                                         std::uint32_t end) {
    return {begin, end};
  }

  template <class Lanes>
  GANNET_HD static void next_wide(Lanes lanes, const StagedTiles& tiles, std::uint32_t tile,
                                  typename Lanes::template Var<WideQuads>& out) {
    const std::uint32_t* values = tiles.payload.at(tile * kTile);
    const bool aligned = reinterpret_cast<std::uintptr_t>(values) % sizeof(Quad) == 0;
    lanes.each([&](std::uint32_t lane) {
      for (std::uint32_t t = 0; t < kWideTiles; ++t) {
        const std::uint32_t* quad = values + t * kTile + 4 * lane;
        if (aligned) {
          out[lane].tile[t] = *reinterpret_cast<const Quad*>(quad);
        } else {
          out[lane].tile[t] = {{quad[0], quad[1], quad[2], quad[3]}};
        }
      }
    });
  }

  static void next_full(ListView list, std::uint32_t tile, Cursor&, std::uint32_t* out) {
    std::copy_n(list.words + tile * kTile, kTile, out);
  }
};

}  // namespace gannet::codecs
