// gpu-for on the device: encode_unit.cuh says what an encoding is, gpu_for.hpp the format.
#pragma once

#include <cstdint>

#include "codecs/columns/gpu_for.hpp"
#include "codecs/device/encode/encode_minis.cuh"

namespace gannet::codecs::cuda {

struct GpuForEncoding {
  using Codec = GpuFor;
  static constexpr std::uint32_t kWarps = 8;
  static constexpr std::uint32_t kResidentBlocks = 5;
  static constexpr std::uint32_t kScratchWords = BitStage::memory_for(kUnitTiles * kMaxBlockWords);

  static std::uint64_t max_words(std::uint64_t count) {
    const std::uint64_t blocks = (count + kTile - 1) / kTile;
    return Codec::kHeaderWords + blocks + 1 + blocks * kMaxBlockWords;
  }

  static std::uint64_t aside_words(std::uint64_t) { return 0; }

  struct Plan {
    std::uint32_t first_value;
    MiniPlan block[kUnitTiles];
    std::uint32_t words;
  };

  /// Replaces the values by what the miniblocks hold: value - reference, 0 for missing ones.
  __device__ __forceinline__ static Plan plan(Unit& unit, std::uint32_t*) {
    Plan plan;
    plan.first_value = __shfl_sync(WarpLanes::kAll, unit.quad[0].value[0], 0);
    plan.words = 0;
#pragma unroll
    for (std::uint32_t t = 0; t < kUnitTiles; ++t) {
      Quad& quad = unit.quad[t];
      const std::uint32_t reference = least_signed(unit, t);
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) {
        quad.value[i] = place_in_unit(t, i) < unit.size ? quad.value[i] - reference : 0;
      }
      plan.block[t] = {reference, widths_of(quad)};
      if (t < unit.tiles()) plan.words += block_words(plan.block[t]);
    }
    return plan;
  }

  __device__ __forceinline__ static Sizes sizes(const Plan& plan) { return {plan.words, 0}; }

  __device__ __forceinline__ static void pack(const Unit& unit, const Plan& plan,
                                              std::uint32_t* scratch) {
    BitStage stage(scratch, plan.words);
    std::uint32_t at = 0;
#pragma unroll
    for (std::uint32_t t = 0; t < kUnitTiles; ++t) {
      if (t >= unit.tiles()) break;
      put_block(stage, at, plan.block[t], unit.quad[t]);
      at += block_words(plan.block[t]);
    }
  }

  __device__ __forceinline__ static void store(const Unit& unit, const Plan& plan, Place place,
                                               const std::uint32_t* scratch) {
    std::uint32_t* words = place.streams.words;
    const std::uint32_t offset = first_block(unit.count) + place.before.stream[0];
    BitStage::store(scratch, plan.words, words + offset);
    put_starts(words + Codec::kHeaderWords + unit.first_tile(), unit.tiles(), offset + 0,
               plan.block);
    if (unit.first == 0) put_first_value(words, plan.first_value);
  }

  __device__ __forceinline__ static Sizes finish(const Unit& last, Sizes total, Streams streams) {
    const std::uint32_t end = first_block(last.count) + total.stream[0];
    put_header(streams.words, Codec::block, last.count, tile_count(last.count), end);
    return {end, 0};
  }

 private:
  __device__ __forceinline__ static std::uint32_t first_block(std::uint32_t count) {
    return Codec::kHeaderWords + tile_count(count) + 1;
  }
};

}  // namespace gannet::codecs::cuda
