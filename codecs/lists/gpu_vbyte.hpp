// gpu-vbyte128, gpu-vbyte1024: GPU variable byte.
// Source: Mallia, Siedlaczek, Suel, Zahran, "GPU-Accelerated Decoding of Integer Lists", CIKM 2019,
// section 3.2 and figure 2; where the paper leaves a choice, what the authors' program writes.
//
// Format:
//   endpoints   blocks + 1 words; endpoints[0] = 0; byte offsets into the payload
//   payload     every block but the last: Block / 16 words of 2-bit selectors (0 = one byte ..
//               3 = four bytes, first value in the lowest bits), then the values' bytes, low byte
//               first, then one to four zero bytes, up to the end of a word: a block that already
//               ends on a word gets a whole word more, as in the authors' program (and in the
//               sizes of the paper's Table 1).
//               The last block, full or not: one word with a width, then the values bit-packed in
//               that many bits each, up to a whole word.
#pragma once

#include <algorithm>

#include "codecs/core/codec.hpp"
#include "codecs/core/faults.hpp"
#include "codecs/core/staged_tiles.hpp"
#include "codecs/core/unpack.hpp"
#include "codecs/core/unpack_bytes.hpp"
#include "codecs/core/unpack_quad.hpp"

namespace gannet::codecs {

template <std::uint32_t Block>
struct GpuVbyte {
  static_assert(Block == 128 || Block == 1024);
  static constexpr std::string_view name = Block == 128 ? "gpu-vbyte128" : "gpu-vbyte1024";
  static constexpr CodecId id = id_of(CodecKind::kTiles, name);
  static constexpr std::uint32_t block = Block;
  static constexpr TileTraits traits{
      .gaps = true, .full_tiles = true, .boundaries = true, .wide = true};
  static constexpr std::uint32_t kTilesPerBlock = Block / kTile;
  static constexpr std::uint32_t kSelectorWords = Block / 16;
  static constexpr std::uint32_t kTileSelectors = kTile / 16;

  static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    const auto count = static_cast<std::uint32_t>(values.size());
    const std::uint32_t blocks = ceil_div(count, Block);
    const std::size_t endpoints = words.size();
    words.resize(endpoints + blocks + 1);
    const std::size_t payload = words.size();
    words[endpoints] = 0;
    StopCheck check_stop;
    for (std::uint32_t j = 0; j < blocks; ++j) {
      check_stop();
      const auto part = values.subspan(std::size_t{j} * Block, std::min(Block, count - j * Block));
      if (j + 1 < blocks) {
        encode_bytes(part, words);
      } else {
        const std::uint32_t width = max_width(part);
        words.push_back(width);
        pack(part, width, words);
      }
      words[endpoints + j + 1] = static_cast<std::uint32_t>((words.size() - payload) * 4);
    }
  }

  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    validate_blocks<GpuVbyte>(words, count);
  }

  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    const std::uint32_t blocks = ceil_div(count, Block);
    if (!words.has(0, std::uint64_t{blocks} + 1)) return "the endpoints are cut off";
    if (words[0] != 0) return "the first endpoint is not 0";
    if (words[blocks] != (words.size - blocks - 1) * 4) {
      return "the payload is not as long as its endpoints say";
    }
    return nullptr;
  }

  GANNET_HD static Fault block_fault(WordView words, std::uint32_t count, std::uint32_t j) {
    const std::uint32_t blocks = ceil_div(count, Block);
    if (words[j + 1] < words[j]) return "it ends before it starts";
    if (words[j] % 4 != 0) return "it does not start on a word";
    if (words[j + 1] % 4 != 0) return "it does not end on a word";
    if (words[j + 1] > words[blocks]) return "it ends outside the payload";
    const WordView part{words.words + blocks + 1 + words[j] / 4, (words[j + 1] - words[j]) / 4};
    return j + 1 < blocks ? bytes_fault(part) : packed_fault(part, count - j * Block);
  }

  static constexpr std::uint32_t tile_words = kTile + kTile / 16 + 1;

  GANNET_HD static Extent extent(ListView list, std::uint32_t first, std::uint32_t last) {
    return {block_start(list, first / kTilesPerBlock),
            block_start(list, ceil_div(last, kTilesPerBlock))};
  }

  struct Cursor {
    std::uint32_t bytes;  ///< of the block's values before the next tile
  };

  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes lanes, ListView list, std::uint32_t tile) {
    const std::uint32_t j = tile / kTilesPerBlock;
    const std::uint32_t before = tile % kTilesPerBlock;
    if (before == 0 || j + 1 == ceil_div(list.count, Block)) return {0};
    return {bytes_before(lanes, list.words + block_start(list, j), before)};
  }

  template <class Lanes>
  GANNET_HD static Cursor seek(Lanes lanes, ListView list, std::uint32_t tile, std::uint32_t) {
    return seek(lanes, list, tile);
  }

  template <class Lanes>
  GANNET_HD static void next(Lanes lanes, ListView list, Payload payload, std::uint32_t tile,
                             Cursor& cursor, typename Lanes::template Var<Quad>& out) {
    const std::uint32_t j = tile / kTilesPerBlock;
    const std::uint32_t sub = tile % kTilesPerBlock;
    const std::uint32_t* start = payload.at(block_start(list, j));
    if (j + 1 == ceil_div(list.count, Block)) {
      const std::uint32_t first = sub * kTile;
      unpack_tile(lanes, start + 1, *start, first, first + tile_size(list.count, tile), out);
      return;
    }
    next_bytes(lanes, start, sub, cursor, out);
    if (sub + 1 == kTilesPerBlock) cursor.bytes = 0;
  }

  /// Of a tile inside a block, where the block starts.
  GANNET_HD static std::uint32_t boundary(ListView list, std::uint32_t tile) {
    return list.words[tile / kTilesPerBlock];
  }

  GANNET_HD static Extent extent_between(ListView list, std::uint32_t, std::uint32_t begin,
                                         std::uint32_t end) {
    const std::uint32_t payload = ceil_div(list.count, Block) + 1;
    return {payload + begin / 4, payload + end / 4};
  }

  /// Four tiles are four blocks or half of one. Only the last of them can be in the list's last
  /// block, or all of them.
  template <class Lanes>
  GANNET_HD static void next_wide(Lanes lanes, const StagedTiles& tiles, std::uint32_t tile,
                                  typename Lanes::template Var<WideQuads>& out) {
    const std::uint32_t last = ceil_div(tiles.list.count, Block) - 1;
    const bool ends = (tile + kWideTiles - 1) / kTilesPerBlock == last;
    const std::uint32_t in_bytes = !ends ? kWideTiles : kTilesPerBlock == 1 ? kWideTiles - 1 : 0;
    if (in_bytes > 0) wide_bytes(lanes, tiles, tile, in_bytes, out);
    if (ends) wide_packed(lanes, tiles, tile, in_bytes, out);
  }

  static void next_full(ListView list, std::uint32_t tile, Cursor& cursor, std::uint32_t* out) {
    const std::uint32_t j = tile / kTilesPerBlock;
    const std::uint32_t sub = tile % kTilesPerBlock;
    const std::uint32_t* start = list.words + block_start(list, j);
    if (j + 1 == ceil_div(list.count, Block)) {
      unpack128(start + 1 + sub * (kTile / 32) * *start, *start, out);
      return;
    }
    // Behind the values are a byte of padding and the last block's width: enough to read over.
    const auto* data = reinterpret_cast<const unsigned char*>(start + kSelectorWords);
    cursor.bytes += unpack_bytes128(start + sub * (kTile / 16), data + cursor.bytes, out);
    if (sub + 1 == kTilesPerBlock) cursor.bytes = 0;
  }

 private:
  /// The word at which block j starts; j may be the number of blocks.
  GANNET_HD static std::uint32_t block_start(ListView list, std::uint32_t j) {
    return ceil_div(list.count, Block) + 1 + list.words[j] / 4;
  }

  /// Bytes of the values of a block's first `tiles` tiles; `selectors` is its first word.
  template <class Lanes>
  GANNET_HD static std::uint32_t bytes_before(Lanes lanes, const std::uint32_t* selectors,
                                              std::uint32_t tiles) {
    typename Lanes::template Var<std::uint32_t> bytes;
    lanes.each([&](std::uint32_t lane) {
      bytes[lane] = 0;
      for (std::uint32_t w = lane; w < tiles * kTileSelectors; w += kLanes) {
        bytes[lane] += selected_bytes(selectors[w], 16);
      }
    });
    return lanes.sum(bytes);
  }

  /// Decodes one tile of a byte-coded block: a lane's four selectors are one byte; its values start
  /// behind those of the lanes before it.
  template <class Lanes>
  GANNET_HD static void next_bytes(Lanes lanes, const std::uint32_t* start, std::uint32_t sub,
                                   Cursor& cursor, typename Lanes::template Var<Quad>& out) {
    const std::uint32_t* selectors = start + sub * (kTile / 16);
    const std::uint32_t* data = start + kSelectorWords;
    typename Lanes::template Var<std::uint32_t> offset;
    lanes.each([&](std::uint32_t lane) {
      offset[lane] = selected_bytes(extract(selectors, lane * 8, 8), 4);
    });
    const std::uint32_t total = lanes.exclusive_scan(offset);
    lanes.each([&](std::uint32_t lane) {
      const std::uint32_t mine = extract(selectors, lane * 8, 8);
      std::uint32_t bit = (cursor.bytes + offset[lane]) * 8;
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t bits = 8 * (1 + (mine >> (2 * i) & 3));
        out[lane].value[i] = extract(data, bit, bits);
        bit += bits;
      }
    });
    cursor.bytes += total;
  }

  /// The first word of the block of tile `t` of staged tiles.
  GANNET_HD static const std::uint32_t* staged_block(const StagedTiles& tiles, std::uint32_t t) {
    return tiles.payload.at(ceil_div(tiles.list.count, Block) + 1 + tiles.boundaries[t] / 4);
  }

  /// Tiles [from, kWideTiles) of staged ones, which are in the last block.
  template <class Lanes>
  GANNET_HD static void wide_packed(Lanes lanes, const StagedTiles& tiles, std::uint32_t tile,
                                    std::uint32_t from,
                                    typename Lanes::template Var<WideQuads>& out) {
    const std::uint32_t* start = staged_block(tiles, kWideTiles - 1);
    const std::uint32_t width = *start;
    with_width_class(width_class(width), [&]<WidthClass kClass>() {
      lanes.each([&](std::uint32_t lane) {
        for (std::uint32_t t = 0; t < kWideTiles; ++t) {
          if (t < from) continue;
          const std::uint32_t sub = (tile + t) % kTilesPerBlock;
          out[lane].tile[t] = unpack_quad<kClass>(start + 1, sub * kLanes + lane, width);
        }
      });
    });
  }

  /// Tiles [0, size) of staged ones, which are in blocks of bytes. Their selectors are 32 words, a
  /// word a lane, so that one scan tells where the values of all of them start.
  template <class Lanes>
  GANNET_HD static void wide_bytes(Lanes lanes, const StagedTiles& tiles, std::uint32_t tile,
                                   std::uint32_t size,
                                   typename Lanes::template Var<WideQuads>& out) {
    const std::uint32_t sub = tile % kTilesPerBlock;
    const std::uint32_t before = sub > 0 ? bytes_before(lanes, staged_block(tiles, 0), sub) : 0;
    typename Lanes::template Var<std::uint32_t> selectors;
    typename Lanes::template Var<std::uint32_t> start;
    lanes.each([&](std::uint32_t lane) {
      const std::uint32_t t = lane / kTileSelectors;
      const std::uint32_t word = kTilesPerBlock == 1 ? lane % kTileSelectors : lane;
      const std::uint32_t* block = staged_block(tiles, kTilesPerBlock == 1 ? t : 0);
      selectors[lane] = t < size ? block[sub * kTileSelectors + word] : 0;
      start[lane] = selected_bytes(selectors[lane], 16);
    });
    lanes.exclusive_scan(start);
    with_byte_class((lanes.any_bits(selectors) & kThreeBytes) == 0, [&]<ByteClass kClass>() {
      for (std::uint32_t t = 0; t < kWideTiles; ++t) {
        if (t >= size) continue;
        typename Lanes::template Var<std::uint32_t> holder;
        lanes.each([&](std::uint32_t lane) { holder[lane] = t * kTileSelectors + lane / 4; });
        const auto word = lanes.gather(selectors, holder);
        const auto at = lanes.gather(start, holder);
        // Where blocks are single tiles, the bytes of each begin anew.
        const std::uint32_t origin =
            kTilesPerBlock == 1 ? lanes.broadcast(start, t * kTileSelectors) : 0u - before;
        const std::uint32_t* data =
            staged_block(tiles, kTilesPerBlock == 1 ? t : 0) + kSelectorWords;
        lanes.each([&](std::uint32_t lane) {
          const std::uint32_t lower = lane % 4 * 8;  // bits of the word that are other lanes'
          const std::uint32_t byte =
              at[lane] - origin + selected_bytes(word[lane] & low_mask(lower), lower / 2);
          out[lane].tile[t] = unpack_byte_quad<kClass>(data, byte, word[lane] >> lower);
        });
      }
    });
  }

  static std::uint32_t selector_of(std::uint32_t value) {
    return (std::max(bit_width(value), 1u) - 1) / 8;
  }

  static void encode_bytes(std::span<const std::uint32_t> values,
                           std::vector<std::uint32_t>& words) {
    BitWriter writer(words);
    for (const std::uint32_t value : values) writer.put(selector_of(value), 2);
    for (const std::uint32_t value : values) writer.put(value, 8 * (1 + selector_of(value)));
    writer.put(0, 8);  // at least one byte of padding
  }

  GANNET_HD static Fault bytes_fault(WordView part) {
    if (!part.has(0, kSelectorWords)) return "its selectors are cut off";
    std::uint32_t bytes = 0;
    for (std::uint32_t i = 0; i < kSelectorWords; ++i) bytes += selected_bytes(part[i], 16);
    return part.size == kSelectorWords + bytes / 4 + 1 ? nullptr
                                                       : "its length is not what its selectors say";
  }

  GANNET_HD static Fault packed_fault(WordView part, std::uint32_t count) {
    if (part.size == 0) return "its width is cut off";
    if (part[0] > 32) return kTooWide;
    return part.size == 1 + ceil_div(count * part[0], 32) ? nullptr
                                                          : "its length is not what its width says";
  }
};

}  // namespace gannet::codecs
