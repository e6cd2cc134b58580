// A stretch of words that a warp puts together, bit by bit, in shared memory and then stores.
#pragma once

#include <cstdint>

#include "gannet/codecs/lanes.hpp"
#include "gannet/codecs/tile.hpp"

namespace gannet::codecs::cuda {

/// Words [0, size) of a stretch that goes to `target`. They stand in shared memory as they will in
/// device memory, modulo 16 bytes, so that they are stored in 16-byte units.
class BitStage {
 public:
  /// Words of shared memory for a stretch of `words`.
  static constexpr std::uint32_t memory_for(std::uint32_t words) { return (words + 6) / 4 * 4; }

  /// Zeroes the stretch. `memory` (16-byte aligned) must have memory_for(size) words. Called by the
  /// whole warp, as are all others but put_word() and put_quad().
  __device__ BitStage(std::uint32_t* memory, std::uint32_t* target, std::uint32_t size)
      : memory_(memory),
        skew_(static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(target) % 16 / 4)),
        aligned_target_(target - skew_),
        end_(skew_ + size) {
    __syncwarp();
    auto* units = reinterpret_cast<uint4*>(memory_);
    for (std::uint32_t i = WarpLanes::id(); i < (end_ + 3) / 4; i += kLanes) {
      units[i] = make_uint4(0, 0, 0, 0);
    }
    __syncwarp();
  }

  /// Word `index` becomes `word`.
  __device__ void put_word(std::uint32_t index, std::uint32_t word) {
    memory_[skew_ + index] = word;
  }

  /// Adds four values of `width` bits each, `bit` bits after the start of word `index`.
  __device__ void put_quad(std::uint32_t index, std::uint32_t bit, std::uint32_t width,
                           const Quad& quad) {
    if (width == 0) return;
    const std::uint64_t low = quad.value[0] | static_cast<std::uint64_t>(quad.value[1]) << width;
    const std::uint64_t high = quad.value[2] | static_cast<std::uint64_t>(quad.value[3]) << width;
    const std::uint32_t place = (skew_ + index) * 32 + bit;
    if (width <= 16) {
      put_bits(place, 4 * width, low | high << (2 * width));
    } else {
      put_bits(place, 2 * width, low);
      put_bits(place + 2 * width, 2 * width, high);
    }
  }

  /// Stores the stretch, once all lanes have put what they have.
  __device__ void store() const {
    __syncwarp();
    const auto* units = reinterpret_cast<const uint4*>(memory_);
    for (std::uint32_t i = WarpLanes::id(); i < (end_ + 3) / 4; i += kLanes) {
      if (4 * i >= skew_ && 4 * i + 4 <= end_) {
        __stcs(reinterpret_cast<uint4*>(aligned_target_) + i, units[i]);
      } else {
        for (std::uint32_t k = max(4 * i, skew_); k < min(4 * i + 4, end_); ++k) {
          aligned_target_[k] = memory_[k];
        }
      }
    }
  }

 private:
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
  std::uint32_t skew_;
  std::uint32_t* aligned_target_;
  std::uint32_t end_;
};

}  // namespace gannet::codecs::cuda
