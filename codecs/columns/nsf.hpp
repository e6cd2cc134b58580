// nsf: null suppression with a fixed length, the whole column in 1, 2 or 4 bytes per value.
// Source: Fang, He, Luo, "Database Compression on Graphics Processors", VLDB 2010, as described in
// Shanbhag, Yogatama, Yu, Madden, SIGMOD 2022, section 9.2. The header word is ours.
//
// Format: one word that holds 1, 2 or 4, the bytes of every value: the fewest in which the largest
// one fits as an unsigned number. Then the values, low byte first, up to a whole word.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "codecs/core/codec.hpp"
#include "codecs/core/faults.hpp"
#include "codecs/core/quads.hpp"

namespace gannet::codecs {

struct Nsf {
  static constexpr std::string_view name = "nsf";
  static constexpr CodecId id = id_of(CodecKind::kTiles, name);
  static constexpr std::uint32_t block = kTile;
  static constexpr TileTraits traits{.posting = false, .full_tiles = true};
  static constexpr std::uint32_t kHeaderWords = 1;

  static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    std::uint32_t width = 0;
    for_each_chunk(values.size(), [&](std::size_t first, std::size_t size) {
      width = std::max(width, max_width(values.subspan(first, size)));
    });
    const std::uint32_t bytes = width <= 8 ? 1 : width <= 16 ? 2 : 4;
    words.push_back(bytes);
    for_each_chunk(values.size(), [&](std::size_t first, std::size_t size) {
      pack(values.subspan(first, size), 8 * bytes, words);
    });
  }

  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    validate_blocks<Nsf>(words, count);
  }

  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    if (words.size == 0) return "the header is cut off";
    if (words[0] != 1 && words[0] != 2 && words[0] != 4) {
      return "values cannot have so many bytes as its header says";
    }
    return words.size == total_words(count, words[0])
               ? nullptr
               : "it has not as many words as its values take";
  }
  GANNET_HD static Fault block_fault(WordView, std::uint32_t, std::uint32_t) { return nullptr; }

  static constexpr std::uint32_t tile_words = kTile;

  GANNET_HD static Extent extent(ListView list, std::uint32_t first, std::uint32_t last) {
    const std::uint32_t bytes = list.words[0];
    const std::uint32_t end = tile_start(bytes, last);
    const std::uint32_t all = total_words(list.count, bytes);
    return {tile_start(bytes, first), end < all ? end : all};
  }

  struct Cursor {
    std::uint32_t bytes;  ///< of every value
  };

  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes, ListView list, std::uint32_t) {
    return {list.words[0]};
  }

  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes lanes, ListView list, std::uint32_t tile, std::uint32_t) {
    return seek(lanes, list, tile);
  }

  template <class Lanes>
  GANNET_HD static void next(Lanes lanes, ListView list, Payload payload, std::uint32_t tile,
                             Cursor& cursor, typename Lanes::template Var<Quad>& out) {
    const std::uint32_t* start = payload.at(tile_start(cursor.bytes, tile));
    const std::uint32_t size = tile_size(list.count, tile);
    if (cursor.bytes == 1) {
      widen<1>(lanes, start, size, out);
    } else if (cursor.bytes == 2) {
      widen<2>(lanes, start, size, out);
    } else {
      widen<4>(lanes, start, size, out);
    }
    clear_beyond(lanes, size, out);
  }

  static void next_full(ListView list, std::uint32_t tile, Cursor& cursor, std::uint32_t* out) {
    const std::uint32_t* start = list.words + tile_start(cursor.bytes, tile);
    if (cursor.bytes == 1) {
      copy_tile<std::uint8_t>(start, out);
    } else if (cursor.bytes == 2) {
      copy_tile<std::uint16_t>(start, out);
    } else {
      copy_tile<std::uint32_t>(start, out);
    }
  }

 private:
  GANNET_HD static std::uint32_t tile_start(std::uint32_t bytes, std::uint32_t tile) {
    return kHeaderWords + tile * (kTile / 4 * bytes);
  }

  GANNET_HD static std::uint32_t total_words(std::uint32_t count, std::uint32_t bytes) {
    return kHeaderWords + ceil_div(count, 4 / bytes);
  }

  /// Copies a tile of numbers of type T; compilers know how to widen an array.
  template <class T>
  static void copy_tile(const std::uint32_t* start, std::uint32_t* out) {
    static_assert(std::endian::native == std::endian::little);
    std::array<T, kTile> values;
    std::memcpy(values.data(), start, sizeof(values));
    std::copy(values.begin(), values.end(), out);
  }

  /// Reads the `Bytes` words of every lane that has values (a word may hold the last few), without
  /// looking at `size` for each value.
  template <std::uint32_t Bytes, class Lanes>
  GANNET_HD static void widen(Lanes lanes, const std::uint32_t* start, std::uint32_t size,
                              typename Lanes::template Var<Quad>& out) {
    constexpr std::uint32_t kPerWord = 4 / Bytes;
    lanes.each([&](std::uint32_t lane) {
      for (std::uint32_t w = 0; w < Bytes; ++w) {
        const bool any = 4 * lane + w * kPerWord < size;
        const std::uint32_t word = any ? start[Bytes * lane + w] : 0;
        for (std::uint32_t k = 0; k < kPerWord; ++k) {
          out[lane].value[w * kPerWord + k] = word >> (8 * Bytes * k) & low_mask(8 * Bytes);
        }
      }
    });
  }
};

}  // namespace gannet::codecs
