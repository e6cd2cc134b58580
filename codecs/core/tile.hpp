// What a decoder is given and what it gives back.
#pragma once

#include <cstdint>

#include "codecs/base/host_device.hpp"

namespace gannet::codecs {

/// Values in a tile: the unit in which lists are decoded, skipped and bounded, whatever the codec's
/// own block is. Lane i of 32 holds the values 4i .. 4i+3 of the tile.
inline constexpr std::uint32_t kTile = 128;

/// Longest list that a codec takes: positions, bit offsets and endpoints must fit 32 bits.
inline constexpr std::uint32_t kMaxListLength = 1u << 29;

/// Four consecutive values, held by one lane.
struct alignas(16) Quad {
  std::uint32_t value[4];
};

/// An encoded list, not owned: its words (host or device memory) and its number of values.
/// The words must have passed the codec's validate() before anything is decoded from them.
struct ListView {
  const std::uint32_t* words;
  std::uint32_t count;
};

/// Where a decoder reads payload words from: word i of the list is base[i - first]. Either the
/// list's own words (first = 0), or a copy of a part of them, staged in faster memory.
struct Payload {
  const std::uint32_t* base;
  std::uint32_t first;
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
