// nsv: null suppression with variable lengths, 1 to 4 bytes per value.
// Source: Fang, He, Luo, "Database Compression on Graphics Processors", VLDB 2010, as described in
// Shanbhag, Yogatama, Yu, Madden, SIGMOD 2022, section 9.3: the lengths stand in an array of their
// own, 2 bits per value. The paper finds values by prefix sums over the whole array of lengths; so
// that a tile can be found alone, ours also keeps where each block of 512 values starts (0.06 bits
// per integer).
//
// Format:
//   offsets   blocks + 1 words; offsets[0] = 0; block j has bytes [offsets[j], offsets[j + 1])
//   lengths   2 bits per value (0 = one byte .. 3 = four bytes), low bits first, up to a whole word
//   bytes     the values, low byte first, up to a whole word
#pragma once

#include <algorithm>

#include "codecs/core/codec.hpp"
#include "codecs/core/faults.hpp"
#include "codecs/core/quads.hpp"
#include "codecs/core/staged_tiles.hpp"
#include "codecs/core/unpack.hpp"
#include "codecs/core/wide_scan.hpp"

namespace gannet::codecs {

struct Nsv {
  static constexpr std::string_view name = "nsv";
  static constexpr CodecId id = id_of(CodecKind::kTiles, name);
  static constexpr std::uint32_t block = 512;
  static constexpr std::uint32_t kTilesPerBlock = block / kTile;
  static constexpr std::uint32_t kPerWord = 16;  ///< lengths in a word
  static constexpr TileTraits traits{.posting = false,
                                     .full_tiles = true,
                                     .boundaries = true,
                                     .wide = true,
                                     .lengths_words = kTile / kPerWord};

  static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    const std::size_t blocks = ceil_div(static_cast<std::uint32_t>(values.size()), block);
    const std::size_t base = words.size();
    words.resize(base + blocks + 1);
    std::uint32_t bytes = 0;
    for_each_chunk(values.size(), [&](std::size_t first, std::size_t size) {
      for (std::size_t i = first; i < first + size; ++i) {
        if (i % block == 0) words[base + i / block] = bytes;
        bytes += 1 + selector_of(values[i]);
      }
    });
    words[base + blocks] = bytes;
    BitWriter writer(words);
    const auto put_all = [&](const auto& put) {
      for_each_chunk(values.size(), [&](std::size_t first, std::size_t size) {
        for (const std::uint32_t value : values.subspan(first, size)) put(value);
      });
    };
    put_all([&](std::uint32_t value) { writer.put(selector_of(value), 2); });
    writer.flush();
    put_all([&](std::uint32_t value) { writer.put(value, 8 * (1 + selector_of(value))); });
  }

  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    validate_blocks<Nsv>(words, count);
  }

  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    const std::uint32_t blocks = ceil_div(count, block);
    if (!words.has(0, std::uint64_t{blocks} + 1 + ceil_div(count, kPerWord))) {
      return "the offsets and lengths are cut off";
    }
    if (words[0] != 0) return "the first offset is not 0";
    if (words.size != bytes_at(count) + (std::uint64_t{words[blocks]} + 3) / 4) {
      return "it has not as many words as its values take";
    }
    return nullptr;
  }

  GANNET_HD static Fault block_fault(WordView words, std::uint32_t count, std::uint32_t j) {
    const std::uint32_t left = count - j * block;
    const std::uint32_t size = left < block ? left : block;
    const std::uint32_t* lengths = words.words + ceil_div(count, block) + 1;
    std::uint32_t bytes = 0;
    for (std::uint32_t i = 0; i < size; i += kPerWord) {
      const std::uint32_t some = size - i < kPerWord ? size - i : kPerWord;
      bytes += bytes_of(lengths[(j * block + i) / kPerWord], some);
    }
    return std::uint64_t{words[j]} + bytes == words[j + 1] ? nullptr
                                                           : "its size is not what its lengths say";
  }

  /// The bytes of a block may lie across one word more.
  static constexpr std::uint32_t tile_words = kTile + 1;

  GANNET_HD static Extent extent(ListView list, std::uint32_t first, std::uint32_t last) {
    const std::uint32_t bytes = bytes_at(list.count);
    return {bytes + list.words[first / kTilesPerBlock] / 4,
            bytes + ceil_div(list.words[ceil_div(last, kTilesPerBlock)], 4)};
  }

  /// Where the lengths of tiles [first, last) stand, for callers that stage these as well.
  GANNET_HD static Extent lengths_extent(ListView list, std::uint32_t first, std::uint32_t last) {
    const std::uint32_t end = last * traits.lengths_words;
    const std::uint32_t all = ceil_div(list.count, kPerWord);
    return {lengths_at(list.count) + first * traits.lengths_words,
            lengths_at(list.count) + (end < all ? end : all)};
  }

  struct Cursor {
    std::uint32_t bytes;  ///< of the list's values before the next tile
  };

  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes lanes, ListView list, std::uint32_t tile) {
    const std::uint32_t first = tile / kTilesPerBlock * kTilesPerBlock;
    const std::uint32_t start = list.words[tile / kTilesPerBlock];
    if (first == tile) return {start};
    const std::uint32_t* lengths = list.words + lengths_at(list.count);
    typename Lanes::template Var<std::uint32_t> bytes;
    lanes.each([&](std::uint32_t lane) {
      bytes[lane] = 0;
      for (std::uint32_t w = first * traits.lengths_words + lane; w < tile * traits.lengths_words;
           w += kLanes) {
        bytes[lane] += bytes_of(lengths[w], kPerWord);
      }
    });
    return {start + lanes.sum(bytes)};
  }

  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes lanes, ListView list, std::uint32_t tile, std::uint32_t) {
    return seek(lanes, list, tile);
  }

  template <class Lanes>
  GANNET_HD static void next(Lanes lanes, ListView list, Payload payload, std::uint32_t tile,
                             Cursor& cursor, typename Lanes::template Var<Quad>& out) {
    next(lanes, list, payload, Payload{list.words, 0}, tile, cursor, out);
  }

  /// The same with the lengths read from a payload of their own.
  template <class Lanes>
  GANNET_HD static void next(Lanes lanes, ListView list, Payload payload, Payload lengths,
                             std::uint32_t tile, Cursor& cursor,
                             typename Lanes::template Var<Quad>& out) {
    const std::uint32_t size = tile_size(list.count, tile);
    const std::uint32_t* selectors =
        lengths.at(lengths_at(list.count) + tile * traits.lengths_words);
    typename Lanes::template Var<std::uint32_t> mine;
    typename Lanes::template Var<std::uint32_t> offset;
    lanes.each([&](std::uint32_t lane) {
      const std::uint32_t values = values_of(lane, size);
      mine[lane] = values == 0 ? 0 : selectors[lane / 4] >> (8 * (lane % 4)) & 0xff;
      offset[lane] = bytes_of(mine[lane], values);
    });
    const std::uint32_t total = lanes.exclusive_scan(offset);
    const std::uint32_t* bytes = payload.at(bytes_at(list.count) + cursor.bytes / 4);
    lanes.each([&](std::uint32_t lane) {
      const std::uint32_t values = values_of(lane, size);
      std::uint32_t bit = (cursor.bytes % 4 + offset[lane]) * 8;
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t bits = 8 * (1 + (mine[lane] >> (2 * i) & 3));
        out[lane].value[i] = i < values ? window(bytes, bit, bit + bits) & low_mask(bits) : 0;
        bit += bits;
      }
    });
    cursor.bytes += total;
  }

  GANNET_HD static std::uint32_t boundary(ListView list, std::uint32_t tile) {
    return list.words[tile / kTilesPerBlock];
  }

  GANNET_HD static Extent extent_between(ListView list, std::uint32_t, std::uint32_t begin,
                                         std::uint32_t end) {
    const std::uint32_t bytes = bytes_at(list.count);
    return {bytes + begin / 4, bytes + ceil_div(end, 4)};
  }

  /// A block.
  template <class Lanes>
  GANNET_HD static void next_wide(Lanes lanes, const StagedTiles& tiles, std::uint32_t tile,
                                  typename Lanes::template Var<WideQuads>& out) {
    static_assert(kTilesPerBlock == kWideTiles);
    const std::uint32_t count = tiles.list.count;
    const std::uint32_t* selectors =
        tiles.lengths.at(lengths_at(count) + tile * traits.lengths_words);
    typename Lanes::template Var<std::uint32_t> mine[kWideTiles];
    typename Lanes::template Var<std::uint32_t> offset[kWideTiles];
    lanes.each([&](std::uint32_t lane) {
      for (std::uint32_t t = 0; t < kWideTiles; ++t) {
        const std::uint32_t word = selectors[t * traits.lengths_words + lane / 4];
        mine[t][lane] = word >> (8 * (lane % 4)) & 0xff;
        offset[t][lane] = bytes_of(mine[t][lane], 4);
      }
    });
    std::uint32_t totals[kWideTiles];
    scan_wide(lanes, true, offset, totals);
    const std::uint32_t* bytes = tiles.payload.at(bytes_at(count) + tiles.boundaries[0] / 4);
    std::uint32_t start = tiles.boundaries[0] % 4;
    for (std::uint32_t t = 0; t < kWideTiles; ++t) {
      lanes.each([&](std::uint32_t lane) {
        std::uint32_t bit = (start + offset[t][lane]) * 8;
        for (std::uint32_t i = 0; i < 4; ++i) {
          const std::uint32_t bits = 8 * (1 + (mine[t][lane] >> (2 * i) & 3));
          const std::uint32_t* at = bytes + bit / 32;
          out[lane].tile[t].value[i] = funnel(at[0], at[1], bit % 32) & low_mask(bits);
          bit += bits;
        }
      });
      start += totals[t];
    }
  }

  static void next_full(ListView list, std::uint32_t tile, Cursor& cursor, std::uint32_t* out) {
    constexpr std::uint32_t kMaxRead = 4 * kTile + 3;
    if (list.words[ceil_div(list.count, block)] - cursor.bytes < kMaxRead) {
      SerialLanes::Var<Quad> quads;
      next(SerialLanes{}, list, Payload{list.words, 0}, tile, cursor, quads);
      for (std::uint32_t i = 0; i < kTile; ++i) out[i] = quads[i / 4].value[i % 4];
      return;
    }
    const auto* bytes = reinterpret_cast<const unsigned char*>(list.words + bytes_at(list.count));
    const std::uint32_t* lengths =
        list.words + lengths_at(list.count) + tile * traits.lengths_words;
    cursor.bytes += unpack_bytes128(lengths, bytes + cursor.bytes, out);
  }

 private:
  GANNET_HD static std::uint32_t lengths_at(std::uint32_t count) {
    return ceil_div(count, block) + 1;
  }

  GANNET_HD static std::uint32_t bytes_at(std::uint32_t count) {
    return lengths_at(count) + ceil_div(count, kPerWord);
  }

  /// How many of the tile's `size` values a lane holds.
  GANNET_HD static std::uint32_t values_of(std::uint32_t lane, std::uint32_t size) {
    const std::uint32_t left = 4 * lane < size ? size - 4 * lane : 0;
    return left < 4 ? left : 4;
  }

  /// Bytes of the first `values` values whose selectors are in `selectors`.
  GANNET_HD static std::uint32_t bytes_of(std::uint32_t selectors, std::uint32_t values) {
    const std::uint32_t mine = selectors & low_mask(2 * values);
    return values + popcount(mine & 0x55555555u) + 2 * popcount(mine & 0xaaaaaaaau);
  }

  static std::uint32_t selector_of(std::uint32_t value) {
    return (std::max(bit_width(value), 1u) - 1) / 8;
  }
};

}  // namespace gannet::codecs
