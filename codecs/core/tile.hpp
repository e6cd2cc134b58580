// Input and output types of decoders, and the number and size of tiles.
#pragma once

#include <cstdint>

#include "codecs/base/host_device.hpp"

namespace gannet::codecs {

/// Values in a tile: the unit of decoding, of skips and of bounds, for every block size of a codec.
/// Lane i of 32 holds values 4i .. 4i+3 of the tile.
inline constexpr std::uint32_t kTile = 128;

/// Length of the longest list that a codec encodes: positions, bit offsets inside of a block and
/// endpoints must fit into 32 bits.
inline constexpr std::uint32_t kMaxListLength = 1u << 29;

/// Four consecutive values, held by one lane.
struct alignas(16) Quad {
  std::uint32_t value[4];
};

/// An encoded list: its words (in host or device memory, not owned) and its number of values.
/// Decoders require words that the codec's validate() has accepted for this number of values.
struct ListView {
  const std::uint32_t* words;
  std::uint32_t count;
};

/// The words that a decoder reads its payload from: word i of the list is base[i - first]. `base`
/// is either the list itself (`first` is 0), or a copy of a part of the list in faster memory.
struct Payload {
  const std::uint32_t* base;
  std::uint32_t first;
  /// The address of word `word` of the list.
  GANNET_HD const std::uint32_t* at(std::uint32_t word) const { return base + (word - first); }
};

/// Words [begin, end) of a list.
struct Extent {
  std::uint32_t begin;
  std::uint32_t end;
};

/// Number of tiles of a list with `count` values.
GANNET_HD constexpr std::uint32_t tile_count(std::uint32_t count) {
  return count / kTile + (count % kTile != 0 ? 1u : 0u);
}

/// Number of values in tile `tile` (< tile_count(count)): 128, or fewer in the last one.
GANNET_HD constexpr std::uint32_t tile_size(std::uint32_t count, std::uint32_t tile) {
  const std::uint32_t left = count - tile * kTile;
  return left < kTile ? left : kTile;
}

}  // namespace gannet::codecs
