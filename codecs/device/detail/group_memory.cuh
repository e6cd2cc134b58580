// Shared memory for groups of tiles: one layout for all kernels that stage them.
//
//   a slot    words | lengths | boundaries        the group that is decoded, or on its way
//   ...       further slots
//   scratch   for the codec's wide forms, once
//
// How many words a slot has room for is decided when the kernel is launched, by the column; what
// does not fit is decoded from the column itself. Two ways lead in: GroupMemory::fill() copies at
// once and waits, AsyncGroup (async_words.cuh) copies while the warp does something else.
#pragma once

#include <algorithm>
#include <cstdint>

#include "codecs/core/concepts.hpp"
#include "codecs/core/staged_tiles.hpp"
#include "codecs/device/detail/stage.cuh"

namespace gannet::codecs::cuda {

/// A line: what memory is fetched in.
inline constexpr std::uint32_t kLineBytes = 128;

/// How a group gets into its memory.
enum class Copy {
  kByWarp,        ///< fill()
  kInBackground,  ///< AsyncGroup, which wants to choose where in a line a room begins
};

/// Units of a room that are for choosing where it begins.
constexpr std::uint32_t spare_units(Copy copy) {
  return copy == Copy::kInBackground ? kLineBytes / 16 - 1 : 0;
}

/// Units of shared memory for a stretch of `words` words of a list, with room to read over.
constexpr std::uint32_t room_units(std::uint32_t words, Copy copy) {
  return (staged_words(words) + kOverread) / 4 + spare_units(copy);
}

/// Most words that the lengths of `tiles` tiles take: 0 if the codec has none.
template <class Codec>
constexpr std::uint32_t lengths_words(std::uint32_t tiles) {
  return tiles * Codec::traits.lengths_words;
}

/// Units of scratch memory that a codec's wide forms need.
template <class Codec>
inline constexpr std::uint32_t kScratchUnits = (Codec::traits.scratch_words + 3) / 4;

/// How slots are laid out. Places are counted in units of 16 bytes from a slot's beginning.
struct StageLayout {
  std::uint32_t most_words;    ///< of a payload; groups with longer ones are not staged
  std::uint32_t most_lengths;  ///< of a payload's lengths; groups with more are not staged
  std::uint32_t lengths;       ///< where these begin
  std::uint32_t boundaries;    ///< where the boundaries begin
  std::uint32_t units;         ///< of a slot

  /// Whether a group with these extents fits.
  GANNET_HD bool takes(Extent words, Extent length_words) const {
    return words.end - words.begin <= most_words &&
           length_words.end - length_words.begin <= most_lengths;
  }
};

/// The layout for groups of `tiles` tiles, with room for `most_words` words.
template <class Codec>
constexpr StageLayout stage_layout(std::uint32_t tiles, std::uint32_t most_words,
                                   std::uint32_t most_lengths, Copy copy) {
  StageLayout layout{most_words, most_lengths, room_units(most_words, copy), 0, 0};
  layout.boundaries =
      layout.lengths + (lengths_words<Codec>(1) > 0 ? room_units(most_lengths, copy) : 0);
  layout.units = layout.boundaries + (tiles + 4) / 4;
  return layout;
}

/// The layout for groups of `tiles` tiles with room for any group.
template <class Codec>
constexpr StageLayout largest_layout(std::uint32_t tiles, Copy copy) {
  return stage_layout<Codec>(tiles, tiles * Codec::tile_words, lengths_words<Codec>(tiles), copy);
}

/// The layout for a column with `average` words per tile: room for groups that take up to a quarter
/// more. Whichever way they get there, rooms are as large: with a line more for each column, fewer
/// blocks would fit (four columns of 16-bit values in nsv: 2.0 ms a kernel, 1.1 without).
template <class Codec>
constexpr StageLayout usual_layout(std::uint32_t tiles, std::uint32_t average, Copy copy) {
  const std::uint32_t usual = tiles * (average + average / 4 + 4) - spare_units(copy) * 4;
  return stage_layout<Codec>(tiles, std::min(tiles * Codec::tile_words, usual),
                             std::min(lengths_words<Codec>(tiles), usual), copy);
}

/// Units that a warp needs for `slots` slots and what they share.
template <class Codec>
GANNET_HD constexpr std::uint32_t stage_units(const StageLayout& layout, std::uint32_t slots) {
  return slots * layout.units + kScratchUnits<Codec>;
}

/// A slot, and the scratch memory.
struct GroupMemory {
  uint4* words;
  uint4* lengths;             ///< if the codec has any
  uint4* scratch;             ///< for the codec's wide forms
  std::uint32_t* boundaries;  ///< one for each tile, and one more

  /// Slot `slot` of `slots` in `memory`, shared memory of stage_units().
  __device__ __forceinline__ GroupMemory(uint4* memory, const StageLayout& layout,
                                         std::uint32_t slot, std::uint32_t slots)
      : words(memory + slot * layout.units),
        lengths(words + layout.lengths),
        scratch(memory + slots * layout.units),
        boundaries(reinterpret_cast<std::uint32_t*>(words + layout.boundaries)) {}

  /// What is staged here, as the wide forms take it; its payloads are to be set.
  __device__ __forceinline__ StagedTiles tiles(ListView list) const {
    return {list, {}, {}, boundaries, reinterpret_cast<std::uint32_t*>(scratch)};
  }
};

}  // namespace gannet::codecs::cuda
