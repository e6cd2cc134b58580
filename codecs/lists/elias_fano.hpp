// elias-fano: ascending values as low bits and the distances of their high bits.
// Source: Elias, "Efficient Storage and Retrieval by Content and Address of Static Files", JACM
// 1974; Fano, "On the Number of Bits Required to Implement an Associative Memory", MIT 1971; for
// posting lists, and in partitions: Ottaviano and Venturini, "Partitioned Elias-Fano Indexes",
// SIGIR 2014. A partition here is a tile of 128 values, so that any tile is decoded by itself.
//
// Format, in 32-bit words:
//   endpoints   tiles + 1 words; where each tile's payload starts, counted from the first one's
//   tiles       reference   the smallest value
//               form        bits 0-7: low bits of a value, 0 to 32; bits 8-31: words of high bits
//               low         the lowest bits of every value - reference, without gaps, up to a whole
//                           word
//               high        value i of those that ascend, less the reference, shifted right by the
//                           low bits, is h: bit h + i is set. Up to the word of the last set bit
// Of n values with the largest difference u, log2(u / n) bits rounded down are low: the high part
// then takes less than 3n bits. Tiles that do not ascend, and those that take no more words without
// (as runs of one value do), have no high words: all bits are low ones. Arithmetic is modulo 2^32.
#pragma once

#include <algorithm>

#include "codecs/core/codec.hpp"
#include "codecs/core/faults.hpp"

namespace gannet::codecs {

struct EliasFano {
  static constexpr std::string_view name = "elias-fano";
  static constexpr CodecId id = id_of(CodecKind::kTiles, name);
  static constexpr std::uint32_t block = kTile;
  static constexpr std::uint32_t kTileHeader = 2;
  /// Without high words, as many as the values have: these are the most.
  static constexpr std::uint32_t tile_words = kTile + kTileHeader;
  /// Not for the usual scoring kernel: that one is tuned for the codecs of the papers.
  static constexpr TileTraits traits{.posting = false, .boundaries = true};

  static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    const std::uint32_t tiles = tile_count(static_cast<std::uint32_t>(values.size()));
    const std::size_t endpoints = words.size();
    words.resize(endpoints + tiles + 1);
    const std::size_t payload = words.size();
    StopCheck check_stop;
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
      check_stop();
      encode_tile(values.subspan(std::size_t{tile} * kTile,
                                 tile_size(static_cast<std::uint32_t>(values.size()), tile)),
                  words);
      words[endpoints + tile + 1] = static_cast<std::uint32_t>(words.size() - payload);
    }
  }

  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    validate_blocks<EliasFano>(words, count);
  }

  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    const std::uint32_t tiles = tile_count(count);
    if (!words.has(0, std::uint64_t{tiles} + 1)) return "the endpoints are cut off";
    if (words[0] != 0) return "the first endpoint is not 0";
    return tiles > 0 || words.size == 1 ? nullptr : "it has words to spare";
  }

  GANNET_HD static Fault block_fault(WordView words, std::uint32_t count, std::uint32_t tile) {
    const std::uint32_t tiles = tile_count(count);
    const std::uint32_t begin = words[tile];
    const std::uint32_t end = words[tile + 1];
    if (end < begin) return "it ends before it starts";
    if (end > words.size - tiles - 1) return kCutOff;
    const Fault fault =
        tile_fault({words.words + tiles + 1 + begin, end - begin}, tile_size(count, tile));
    if (fault != nullptr) return fault;
    return tile + 1 < tiles || end == words.size - tiles - 1
               ? nullptr
               : "the payload is not as long as its endpoints say";
  }

  GANNET_HD static Extent extent(ListView list, std::uint32_t first, std::uint32_t last) {
    return extent_between(list, first, boundary(list, first), boundary(list, last));
  }

  GANNET_HD static std::uint32_t boundary(ListView list, std::uint32_t tile) {
    return list.words[tile];
  }

  GANNET_HD static Extent extent_between(ListView list, std::uint32_t, std::uint32_t begin,
                                         std::uint32_t end) {
    const std::uint32_t payload = tile_count(list.count) + 1;
    return {payload + begin, payload + end};
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
    const std::uint32_t* start = payload.at(extent(list, tile, tile).begin);
    const std::uint32_t reference = start[0];
    const std::uint32_t width = low_bits(start[1]);
    const std::uint32_t* low = start + kTileHeader;
    unpack_tile(lanes, low, width, 0, size, out);
    const std::uint32_t* high = low + ceil_div(size * width, 32);
    const bool has_high = high_words(start[1]) > 0;
    lanes.each([&](std::uint32_t lane) {
      const std::uint32_t first = 4 * lane;
      if (has_high && first < size) add_high(high, width, first, size, out[lane]);
      for (std::uint32_t i = 0; i < 4; ++i) {
        if (first + i < size) out[lane].value[i] += reference;
      }
    });
  }

 private:
  GANNET_HD static std::uint32_t low_bits(std::uint32_t form) { return form & 0xff; }
  GANNET_HD static std::uint32_t high_words(std::uint32_t form) { return form >> 8; }

  /// Adds the high bits of values first .. first + 3, as far as there are `size`, to their low
  /// ones.
  GANNET_HD static void add_high(const std::uint32_t* high, std::uint32_t width,
                                 std::uint32_t first, std::uint32_t size, Quad& quad) {
    std::uint32_t at = 0;  // the word in which value `first` has its bit
    std::uint32_t word = high[0];
    std::uint32_t before = 0;  // bits that are set before it
    for (std::uint32_t ones = popcount(word); before + ones <= first; ones = popcount(word)) {
      before += ones;
      word = high[++at];
    }
    for (; before < first; ++before) word &= word - 1;
    for (std::uint32_t i = 0; i < 4 && first + i < size; ++i) {
      while (word == 0) word = high[++at];
      const std::uint32_t bit = popcount((word - 1) & ~word);
      quad.value[i] += (32 * at + bit - (first + i)) << width;
      word &= word - 1;
    }
  }

  static void encode_tile(std::span<const std::uint32_t> values,
                          std::vector<std::uint32_t>& words) {
    const auto count = static_cast<std::uint32_t>(values.size());
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    const std::uint32_t reference = *least;
    const std::uint32_t range = *most - reference;
    std::vector<std::uint32_t> offsets(values.begin(), values.end());
    for (std::uint32_t& offset : offsets) offset -= reference;

    const std::uint32_t all_bits = bit_width(range);
    const std::uint32_t width = range < count ? 0 : bit_width(range / count) - 1;
    const std::uint32_t high = ceil_div(count + (range >> width), 32);
    const bool split = std::is_sorted(values.begin(), values.end()) &&
                       ceil_div(count * width, 32) + high < ceil_div(count * all_bits, 32);
    words.push_back(reference);
    if (!split) {
      words.push_back(all_bits);
      pack(offsets, all_bits, words);
      return;
    }
    words.push_back(width | high << 8);
    BitWriter writer(words);
    for (const std::uint32_t offset : offsets) writer.put(offset & low_mask(width), width);
    writer.flush();
    const std::size_t base = words.size();
    words.resize(base + high);
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t bit = (offsets[i] >> width) + i;
      words[base + bit / 32] |= 1u << bit % 32;
    }
  }

  GANNET_HD static Fault tile_fault(WordView words, std::uint32_t size) {
    if (!words.has(0, kTileHeader)) return kCutOff;
    const std::uint32_t width = low_bits(words[1]);
    const std::uint32_t high = high_words(words[1]);
    if (width > 32) return kTooWide;
    if (high > 0 && width == 32) return "it has high bits beyond the 32nd";
    const std::uint64_t low = ceil_div(size * width, 32);
    if (words.size != kTileHeader + low + high || words.size > tile_words) {
      return "it has not as many words as its header says";
    }
    if (high == 0) return nullptr;
    std::uint32_t ones = 0;
    for (std::uint32_t i = 0; i < high; ++i) ones += popcount(words[words.size - high + i]);
    if (ones != size || words[words.size - 1] == 0) {
      return "its high bits are not those of its values";
    }
    return nullptr;
  }
};

}  // namespace gannet::codecs
