// Random numbers by integer arithmetic, so that they do not depend on the platform.
#pragma once

#include <cstdint>

namespace gannet::corpora {

/// One step of SplitMix64 (Vigna's C code): a bijection of 64-bit integers that mixes all bits of
/// `x`.
inline std::uint64_t mix64(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/// xoshiro256** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", TOMS 2021).
/// The four words of state are mix64() applied once to four times to the seed. Not thread-safe. A
/// copy continues with the numbers of the original.
class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) word = seed = mix64(seed);
  }

  /// The next 64 random bits.
  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  /// Uniform in [0, bound) without bias, 1 <= bound <= 2^32 (Lemire, "Fast random integer
  /// generation in an interval", TOMACS 2019, on the upper half of next()).
  std::uint32_t below(std::uint64_t bound) {
    if (bound > 0xffffffffu) return static_cast<std::uint32_t>(next() >> 32);
    const auto range = static_cast<std::uint32_t>(bound);
    std::uint64_t product = (next() >> 32) * range;
    if (static_cast<std::uint32_t>(product) < range) {
      const std::uint32_t reject_below = (0u - range) % range;
      while (static_cast<std::uint32_t>(product) < reject_below) product = (next() >> 32) * range;
    }
    return static_cast<std::uint32_t>(product >> 32);
  }

  /// Uniform in [0, 1), a multiple of 2^-53.
  double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

 private:
  static std::uint64_t rotate(std::uint64_t x, int by) { return x << by | x >> (64 - by); }

  std::uint64_t state_[4];
};

}  // namespace gannet::corpora
