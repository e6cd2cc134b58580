// What the codecs of the gpu-for family share: the header, and blocks of 128 values, which are a
// reference, four widths in one word, and four miniblocks of 32 values; and the encodings of lists
// that consist of such blocks, gpu-for's and gpu-dfor's.
#pragma once

#include <cstdint>

#include "codecs/device/encode/encode_stage.cuh"
#include "codecs/device/encode/encode_unit.cuh"

namespace gannet::codecs::cuda {

/// A block's first two words.
struct MiniPlan {
  std::uint32_t reference;
  std::uint32_t widths;  ///< miniblock 0's in the lowest byte
};

inline constexpr std::uint32_t kMiniLanes = 8;
inline constexpr std::uint32_t kMaxBlockWords = 2 + kTile;

__device__ __forceinline__ std::uint32_t mini_width(std::uint32_t widths, std::uint32_t mini) {
  return widths >> (8 * mini) & 0xff;
}

/// Words before the payload of miniblock `mini` (0 .. 4).
__device__ __forceinline__ std::uint32_t mini_words(std::uint32_t widths, std::uint32_t mini) {
  std::uint32_t words = 0;
#pragma unroll
  for (std::uint32_t m = 0; m < 4; ++m) words += m < mini ? mini_width(widths, m) : 0;
  return words;
}

/// Words of the whole block.
__device__ __forceinline__ std::uint32_t block_words(const MiniPlan& plan) {
  return 2 + mini_words(plan.widths, 4);
}

/// The smallest width for every miniblock of a tile.
__device__ __forceinline__ std::uint32_t widths_of(const Quad& quad) {
  std::uint32_t any = any_of(quad);
#pragma unroll
  for (std::uint32_t step = 1; step < kMiniLanes; step *= 2) {
    any |= __shfl_xor_sync(WarpLanes::kAll, any, step);
  }
  const std::uint32_t mini = WarpLanes::id() / kMiniLanes;
  return WarpLanes{}.any_bits({device_bit_width(any) << (8 * mini)});
}

/// The smallest of the values that there are of tile t, as signed numbers.
__device__ __forceinline__ std::uint32_t least_signed(const Unit& unit, std::uint32_t t) {
  int least = 0x7fffffff;
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    const int value = static_cast<int>(unit.quad[t].value[i]);
    least = place_in_unit(t, i) < unit.size ? min(least, value) : least;
  }
  return static_cast<std::uint32_t>(WarpLanes::least_signed(least));
}

/// The first value of a list that has one, in the header at `words`.
__device__ __forceinline__ void put_first_value(std::uint32_t* words, std::uint32_t value) {
  if (WarpLanes::id() == 0) words[3] = value;
}

/// The rest of the header at `words`: block size, miniblocks a block, values; and behind the starts
/// of the blocks, where the last one ends.
__device__ __forceinline__ void put_header(std::uint32_t* words, std::uint32_t block,
                                           std::uint32_t count, std::uint32_t blocks,
                                           std::uint32_t end) {
  if (WarpLanes::id() != 0) return;
  words[0] = block;
  words[1] = 4;
  words[2] = count;
  if (count == 0) words[3] = 0;
  words[4 + blocks] = end;
}

/// Writes the starts of a unit's blocks, the first of which is at word `start`.
__device__ __forceinline__ void put_starts(std::uint32_t* starts, std::uint32_t tiles,
                                           std::uint32_t start,
                                           const MiniPlan (&block)[kUnitTiles]) {
  if (WarpLanes::id() != 0) return;
#pragma unroll
  for (std::uint32_t t = 0; t < kUnitTiles; ++t) {
    if (t < tiles) starts[t] = start;
    start += block_words(block[t]);
  }
}

/// Puts a block at word `at` of the stage.
__device__ __forceinline__ void put_block(BitStage& stage, std::uint32_t at, const MiniPlan& plan,
                                          const Quad& quad) {
  const std::uint32_t lane = WarpLanes::id();
  if (lane == 0) {
    stage.put_word(at, plan.reference);
    stage.put_word(at + 1, plan.widths);
  }
  const std::uint32_t mini = lane / kMiniLanes;
  const std::uint32_t width = mini_width(plan.widths, mini);
  stage.put_quad(at + 2 + mini_words(plan.widths, mini), lane % kMiniLanes * 4 * width, width,
                 quad);
}

/// A list of such blocks; every unit's blocks follow kLead words of the unit. What `Derived` adds
/// is plan(), which leaves what the miniblocks hold in the unit's values: device_encoding.hpp.
template <class List, std::uint32_t kLead>
struct MiniblockEncoding {
  using Codec = List;
  static_assert(kLead <= 1, "what a unit may have ahead is its first value");
  static constexpr std::uint32_t kScratchWords =
      BitStage::memory_for(kLead + kUnitTiles * kMaxBlockWords);

  static std::uint64_t max_words(std::uint64_t count) {
    const std::uint64_t blocks = (count + kTile - 1) / kTile;
    const std::uint64_t units = (count + kUnit - 1) / kUnit;
    return Codec::kHeaderWords + blocks + 1 + kLead * units + blocks * kMaxBlockWords;
  }

  static std::uint64_t aside_words(std::uint64_t) { return 0; }

  struct Plan {
    std::uint32_t first_value;
    MiniPlan block[kUnitTiles];
    std::uint32_t words;
  };

  __device__ __forceinline__ static Sizes sizes(const Plan& plan) { return {plan.words, 0}; }

  __device__ __forceinline__ static void pack(const Unit& unit, const Plan& plan,
                                              std::uint32_t* scratch) {
    BitStage stage(scratch, plan.words);
    if (kLead > 0 && WarpLanes::id() == 0) stage.put_word(0, plan.first_value);
    std::uint32_t at = kLead;
#pragma unroll
    for (std::uint32_t t = 0; t < kUnitTiles; ++t) {
      if (t >= unit.tiles()) break;
      put_block(stage, at, plan.block[t], unit.quad[t]);
      at += block_words(plan.block[t]);
    }
  }

  __device__ __forceinline__ static void store(const Unit& unit, const Plan& plan,
                                               OutputPosition position,
                                               const std::uint32_t* scratch) {
    std::uint32_t* words = position.streams.words;
    const std::uint32_t offset = first_unit(unit.count) + position.before.stream[0];
    BitStage::store(scratch, plan.words, words + offset);
    put_starts(words + Codec::kHeaderWords + unit.first_tile(), unit.tiles(), offset + kLead,
               plan.block);
    if (unit.first == 0) put_first_value(words, plan.first_value);
  }

  __device__ __forceinline__ static Sizes finish(const Unit& last, Sizes total, Streams streams) {
    const std::uint32_t end = first_unit(last.count) + total.stream[0];
    put_header(streams.words, Codec::block, last.count, tile_count(last.count), end);
    return {end, 0};
  }

 protected:
  /// Plans a unit whose first value is `first_value`: block_of(t) makes tile t's values what its
  /// miniblocks hold and returns their reference.
  template <class BlockOf>
  __device__ __forceinline__ static Plan plan_blocks(const Unit& unit, std::uint32_t first_value,
                                                     BlockOf block_of) {
    Plan plan;
    plan.first_value = first_value;
    plan.words = kLead;
#pragma unroll
    for (std::uint32_t t = 0; t < kUnitTiles; ++t) {
      const std::uint32_t reference = block_of(t);
      plan.block[t] = {reference, widths_of(unit.quad[t])};
      if (t < unit.tiles()) plan.words += block_words(plan.block[t]);
    }
    return plan;
  }

 private:
  /// Where the words of the first unit begin.
  __device__ __forceinline__ static std::uint32_t first_unit(std::uint32_t count) {
    return Codec::kHeaderWords + tile_count(count) + 1;
  }
};

}  // namespace gannet::codecs::cuda
