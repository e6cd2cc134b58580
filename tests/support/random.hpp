// Random numbers that are the same on every run and platform.
#pragma once

#include <cstdint>
#include <random>

namespace gannet::test {

/// Random that yields 32-bit numbers (on 64-bit Linux, the standard's yields 64-bit ones).
using Random =
    std::mersenne_twister_engine<std::uint32_t, 32, 624, 397, 31, 0x9908b0df, 11, 0xffffffff, 7,
                                 0x9d2c5680, 15, 0xefc60000, 18, 1812433253>;

/// 64 random bits.
inline std::uint64_t random64(Random& random) { return std::uint64_t{random()} << 32 | random(); }

}  // namespace gannet::test
