// gpu-bp128 and gpu-bp256 on the device: device_encoding.hpp says what an encoding is, gpu_bp.hpp
// the format.
#pragma once

#include <cstdint>

#include "codecs/device/encode/encode_stage.cuh"
#include "codecs/device/encode/encode_unit.cuh"
#include "codecs/lists/gpu_bp.hpp"

namespace gannet::codecs::cuda {

template <std::uint32_t Block>
struct GpuBpEncoding {
  using Codec = GpuBp<Block>;
  static constexpr EncodePolicy policy = Block == 128 ? kEncodeBp128Policy : kEncodeBp256Policy;
  static constexpr std::uint32_t kScratchWords = BitStage::memory_for(kUnit);
  static constexpr std::uint32_t kBlocks = kUnit / Block;
  static constexpr std::uint32_t kTiles = Codec::kTilesPerBlock;

  static std::uint64_t max_words(std::uint64_t count) {
    return (count + Block - 1) / Block + 1 + count;
  }

  static std::uint64_t aside_words(std::uint64_t) { return 0; }

  struct Plan {
    std::uint32_t width[kBlocks];
    std::uint32_t words;  ///< of the values that there are
  };

  __device__ __forceinline__ static Plan plan(Unit& unit, std::uint32_t*) {
    Plan plan;
    plan.words = 0;
#pragma unroll
    for (std::uint32_t b = 0; b < kBlocks; ++b) {
      std::uint32_t any = 0;
#pragma unroll
      for (std::uint32_t t = 0; t < kTiles; ++t) any |= any_of(unit.quad[b * kTiles + t]);
      plan.width[b] = device_bit_width(WarpLanes{}.any_bits({any}));
      const std::uint32_t size = unit.size > b * Block ? min(unit.size - b * Block, Block) : 0;
      plan.words += ceil_div(size * plan.width[b], 32);
    }
    return plan;
  }

  __device__ __forceinline__ static Sizes sizes(const Plan& plan) { return {plan.words, 0}; }

  __device__ __forceinline__ static void pack(const Unit& unit, const Plan& plan,
                                              std::uint32_t* scratch) {
    BitStage stage(scratch, plan.words);
    std::uint32_t at = 0;
#pragma unroll
    for (std::uint32_t b = 0; b < kBlocks; ++b) {
      const std::uint32_t width = plan.width[b];
#pragma unroll
      for (std::uint32_t t = 0; t < kTiles; ++t) {
        const std::uint32_t first = t * kTile + 4 * WarpLanes::id();
        if (b * Block + first < unit.size) {
          stage.put_quad(at, first * width, width, unit.quad[b * kTiles + t]);
        }
      }
      at += width * Codec::kWordsPerBit;
    }
  }

  __device__ __forceinline__ static void store(const Unit& unit, const Plan& plan,
                                               OutputPosition position,
                                               const std::uint32_t* scratch) {
    const std::uint32_t payload = ceil_div(unit.count, Block) + 1;
    std::uint32_t end = position.before.stream[0];
    BitStage::store(scratch, plan.words, position.streams.words + payload + end);
#pragma unroll
    for (std::uint32_t b = 0; b < kBlocks; ++b) {
      end += plan.width[b] * Codec::kWordsPerBit;
      if (WarpLanes::id() == 0 && b * Block < unit.size) {
        position.streams.words[unit.first / Block + b + 1] = end;
      }
    }
  }

  __device__ __forceinline__ static Sizes finish(const Unit& last, Sizes total, Streams streams) {
    if (WarpLanes::id() == 0) streams.words[0] = 0;
    return {ceil_div(last.count, Block) + 1 + total.stream[0], 0};
  }
};

}  // namespace gannet::codecs::cuda
