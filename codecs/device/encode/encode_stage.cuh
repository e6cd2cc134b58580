// A stretch of words that a warp puts together, bit by bit, in shared memory.
#pragma once

#include <cstdint>

#include "codecs/core/lanes.hpp"
#include "codecs/core/tile.hpp"

namespace gannet::codecs::cuda {

/// Words [0, size) of a stretch, in shared memory.
class BitStage {
 public:
  /// Words of shared memory for a stretch of `words`.
  static constexpr std::uint32_t memory_for(std::uint32_t words) { return (words + 3) / 4 * 4; }

  /// Zeroes the stretch. `memory` (16-byte aligned) must have memory_for(size) words. Called by the
  /// whole warp.
  __device__ BitStage(std::uint32_t* memory, std::uint32_t size) : memory_(memory) {
    __syncwarp();
    auto* units = reinterpret_cast<uint4*>(memory_);
    for (std::uint32_t i = WarpLanes::id(); i < (size + 3) / 4; i += kLanes) {
      units[i] = make_uint4(0, 0, 0, 0);
    }
    __syncwarp();
  }

  /// Word `index` becomes `word`.
  __device__ void put_word(std::uint32_t index, std::uint32_t word) { memory_[index] = word; }

  /// Adds four values of `width` bits each, `bit` bits after the start of word `index`.
  __device__ void put_quad(std::uint32_t index, std::uint32_t bit, std::uint32_t width,
                           const Quad& quad) {
    if (width == 0) return;
    if (width <= 8) {
      put_few_bits(index * 32 + bit, 4 * width,
                   quad.value[0] | quad.value[1] << width | quad.value[2] << (2 * width) |
                       quad.value[3] << (3 * width));
      return;
    }
    const std::uint64_t low = quad.value[0] | static_cast<std::uint64_t>(quad.value[1]) << width;
    const std::uint64_t high = quad.value[2] | static_cast<std::uint64_t>(quad.value[3]) << width;
    const std::uint32_t place = index * 32 + bit;
    if (width <= 16) {
      put_bits(place, 4 * width, low | high << (2 * width));
    } else {
      put_bits(place, 2 * width, low);
      put_bits(place + 2 * width, 2 * width, high);
    }
  }

  /// Copies a stretch of `size` words to device memory, once all lanes have put what they have.
  /// Called by the whole warp; a store fills a line of 128 bytes, wherever the stretch begins.
  __device__ static void store(const std::uint32_t* memory, std::uint32_t size,
                               std::uint32_t* target) {
    __syncwarp();
    const auto skew =
        static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(target) / 4 % kLanes);
    for (std::uint32_t i = WarpLanes::id(); i < skew + size; i += kLanes) {
      if (i >= skew) __stcs(target + (i - skew), memory[i - skew]);
    }
  }

 private:
  /// Adds 1 .. 32 bits at bit `place` of the memory.
  __device__ void put_few_bits(std::uint32_t place, std::uint32_t bits, std::uint32_t value) {
    const std::uint32_t shift = place % 32;
    std::uint32_t* word = memory_ + place / 32;
    atomicOr(word, value << shift);
    if (shift + bits > 32) atomicOr(word + 1, __funnelshift_l(value, 0, shift));
  }

  /// Adds 1 .. 64 bits at bit `place` of the memory.
  __device__ void put_bits(std::uint32_t place, std::uint32_t bits, std::uint64_t value) {
    const auto low = static_cast<std::uint32_t>(value);
    const auto high = static_cast<std::uint32_t>(value >> 32);
    const std::uint32_t shift = place % 32;
    std::uint32_t* word = memory_ + place / 32;
    atomicOr(word, low << shift);
    if (shift + bits > 32) atomicOr(word + 1, __funnelshift_l(low, high, shift));
    if (shift + bits > 64) atomicOr(word + 2, __funnelshift_l(high, 0, shift));
  }

  std::uint32_t* memory_;
};

}  // namespace gannet::codecs::cuda
