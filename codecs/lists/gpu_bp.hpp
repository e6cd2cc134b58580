// gpu-bp128, gpu-bp256: GPU binary packing.
// Source: Mallia, Siedlaczek, Suel, Zahran, "GPU-Accelerated Decoding of Integer Lists", CIKM 2019,
// section 3.1 and figure 1.
//
// Format, in 32-bit words:
//   endpoints   blocks + 1 words; endpoints[0] = 0,
//               endpoints[j + 1] = endpoints[j] + width * Block / 32
//   payload     block j starts at word endpoints[j]: its values in `width` bits each, low bits
//               first, without gaps
// `width` is the smallest that holds the block's largest value; it is not stored but follows from
// the distance of two endpoints: (endpoints[j + 1] - endpoints[j]) * 32 / Block. The last block's
// endpoint is written as if the block were full, so the rule holds for it too; its payload has only
// the values that there are, up to the next whole word.
#pragma once

#include <algorithm>

#include "codecs/core/codec.hpp"
#include "codecs/core/faults.hpp"
#include "codecs/core/packed_sums.hpp"
#include "codecs/core/staged_tiles.hpp"
#include "codecs/core/unpack.hpp"
#include "codecs/core/unpack_quad.hpp"

namespace gannet::codecs {

template <std::uint32_t Block>
struct GpuBp {
  static_assert(Block == 128 || Block == 256);
  static constexpr std::string_view name = Block == 128 ? "gpu-bp128" : "gpu-bp256";
  static constexpr CodecId id = id_of(CodecKind::kTiles, name);
  static constexpr std::uint32_t block = Block;
  static constexpr TileTraits traits{.gaps = true,
                                     .full_tiles = true,
                                     .single_values = true,
                                     .boundaries = true,
                                     .wide = true,
                                     .sums = true};
  static constexpr std::uint32_t kTilesPerBlock = Block / kTile;
  /// Words of a full block per bit of width.
  static constexpr std::uint32_t kWordsPerBit = Block / 32;

  static void encode(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words) {
    check_encodable(name, values.size());
    const auto count = static_cast<std::uint32_t>(values.size());
    const std::uint32_t blocks = ceil_div(count, Block);
    const std::size_t endpoints = words.size();
    words.resize(endpoints + blocks + 1);
    words[endpoints] = 0;
    StopCheck check_stop;
    for (std::uint32_t j = 0; j < blocks; ++j) {
      check_stop();
      const auto part = values.subspan(std::size_t{j} * Block, std::min(Block, count - j * Block));
      const std::uint32_t width = max_width(part);
      words[endpoints + j + 1] = words[endpoints + j] + width * kWordsPerBit;
      pack(part, width, words);
    }
  }

  static void validate(std::span<const std::uint32_t> words, std::uint32_t count) {
    validate_blocks<GpuBp>(words, count);
  }

  GANNET_HD static Fault frame_fault(WordView words, std::uint32_t count) {
    const std::uint32_t blocks = ceil_div(count, Block);
    if (!words.has(0, std::uint64_t{blocks} + 1)) return "the endpoints are cut off";
    if (words[0] != 0) return "the first endpoint is not 0";
    return blocks > 0 || words.size == 1 ? nullptr : "it has words to spare";
  }

  GANNET_HD static Fault block_fault(WordView words, std::uint32_t count, std::uint32_t j) {
    if (words[j + 1] < words[j]) return "it ends before it starts";
    const std::uint32_t length = words[j + 1] - words[j];
    if (length % kWordsPerBit != 0) return "its length is no whole number of bits";
    if (length / kWordsPerBit > 32) return kTooWide;
    const std::uint32_t blocks = ceil_div(count, Block);
    if (j + 1 == blocks && words.size != std::uint64_t{blocks} + 1 + payload_words(words, count)) {
      return "the payload is not as long as its endpoints say";
    }
    return nullptr;
  }

  static constexpr std::uint32_t tile_words = kTile;

  GANNET_HD static Extent extent(ListView list, std::uint32_t first, std::uint32_t last) {
    const std::uint32_t blocks = ceil_div(list.count, Block);
    const std::uint32_t payload = blocks + 1;
    const std::uint32_t begin = payload + list.words[first / kTilesPerBlock];
    const std::uint32_t end = ceil_div(last, kTilesPerBlock);
    if (end < blocks) return {begin, payload + list.words[end]};
    const std::uint32_t tail = list.words[blocks - 1];
    const std::uint32_t width = (list.words[blocks] - tail) / kWordsPerBit;
    return {begin, payload + tail + ceil_div((list.count - (blocks - 1) * Block) * width, 32)};
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
    const std::uint32_t j = tile / kTilesPerBlock;
    const std::uint32_t begin = list.words[j];
    const std::uint32_t width = (list.words[j + 1] - begin) / kWordsPerBit;
    const std::uint32_t* packed = payload.at(ceil_div(list.count, Block) + 1 + begin);
    const std::uint32_t first = tile % kTilesPerBlock * kTile;
    unpack_tile(lanes, packed, width, first, first + tile_size(list.count, tile), out);
  }

  GANNET_HD static std::uint32_t boundary(ListView list, std::uint32_t tile) {
    return list.words[ceil_div(tile, kTilesPerBlock)];
  }

  GANNET_HD static Extent extent_between(ListView list, std::uint32_t, std::uint32_t begin,
                                         std::uint32_t end) {
    const std::uint32_t payload = ceil_div(list.count, Block) + 1;
    return {payload + begin, payload + end};
  }

  template <class Lanes>
  GANNET_HD static void next_wide(Lanes lanes, const StagedTiles& tiles, std::uint32_t,
                                  typename Lanes::template Var<WideQuads>& out) {
    constexpr std::uint32_t kBlocks = kWideTiles / kTilesPerBlock;
    std::uint32_t widths[kBlocks];
    std::uint32_t widest = 0;
    for (std::uint32_t b = 0; b < kBlocks; ++b) {
      widths[b] = staged_width(tiles, b * kTilesPerBlock);
      widest = widths[b] > widest ? widths[b] : widest;
    }
    // One branch for all of them: their loads and shifts then overlap.
    with_width_class(width_class(widest), [&]<WidthClass kClass>() {
      lanes.each([&](std::uint32_t lane) {
        for (std::uint32_t t = 0; t < kWideTiles; ++t) {
          const std::uint32_t b = t / kTilesPerBlock;
          const std::uint32_t* packed = staged_block(tiles, b * kTilesPerBlock);
          const std::uint32_t quad = t % kTilesPerBlock * kLanes + lane;
          out[lane].tile[t] = unpack_quad<kClass>(packed, quad, widths[b]);
        }
      });
    });
  }

  template <class Lanes>
  GANNET_HD static void sum_groups(Lanes lanes, const StagedTiles& tiles, std::uint32_t groups,
                                   bool is_signed,
                                   typename Lanes::template Var<std::uint64_t>& sums) {
    const auto mini = [&](std::uint32_t group, std::uint32_t lane) -> MiniblockView {
      // The first tile of its block.
      const std::uint32_t block = group * kGroupTiles + lane / kWordsPerBit * kTilesPerBlock;
      const std::uint32_t width = staged_width(tiles, block);
      const std::uint32_t* packed = staged_block(tiles, block);
      return {packed + lane % kWordsPerBit * width, width, 0, swizzle_of(lane)};
    };
    sum_minis<kLanes>(lanes, groups, mini, is_signed, sums);
  }

  static void next_full(ListView list, std::uint32_t tile, Cursor&, std::uint32_t* out) {
    const std::uint32_t j = tile / kTilesPerBlock;
    const std::uint32_t begin = list.words[j];
    const std::uint32_t width = (list.words[j + 1] - begin) / kWordsPerBit;
    const std::uint32_t* packed = list.words + ceil_div(list.count, Block) + 1 + begin;
    unpack128(packed + tile % kTilesPerBlock * (kTile / 32) * width, width, out);
  }

  static std::uint32_t value(ListView list, std::uint32_t position) {
    const std::uint32_t j = position / Block;
    const std::uint32_t begin = list.words[j];
    const std::uint32_t width = (list.words[j + 1] - begin) / kWordsPerBit;
    const std::uint32_t* packed = list.words + ceil_div(list.count, Block) + 1 + begin;
    return extract(packed, position % Block * width, width);
  }

 private:
  /// Width and first word of the block that starts with tile `first` of staged tiles.
  GANNET_HD static std::uint32_t staged_width(const StagedTiles& tiles, std::uint32_t first) {
    return (tiles.boundaries[first + kTilesPerBlock] - tiles.boundaries[first]) / kWordsPerBit;
  }
  GANNET_HD static const std::uint32_t* staged_block(const StagedTiles& tiles,
                                                     std::uint32_t first) {
    return tiles.payload.at(ceil_div(tiles.list.count, Block) + 1 + tiles.boundaries[first]);
  }

  /// Words that the payload must have, given endpoints that are in order.
  GANNET_HD static std::uint64_t payload_words(WordView words, std::uint32_t count) {
    const std::uint32_t blocks = ceil_div(count, Block);
    if (blocks == 0) return 0;
    const std::uint32_t width = (words[blocks] - words[blocks - 1]) / kWordsPerBit;
    return words[blocks - 1] + ceil_div((count - (blocks - 1) * Block) * width, 32);
  }
};

}  // namespace gannet::codecs
