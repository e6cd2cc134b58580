// Where codes are counted: in counters by code, or in a hash table. And what kernels write about
// the codes of matches, in device memory.
#pragma once

#include <cstdint>

#include "codecs/base/host_device.hpp"

namespace gannet::query::cuda {

/// A counter for each code.
struct DirectSlots {
  GANNET_HD std::uint32_t slot(std::uint32_t code) const { return code; }
};

/// A counter for each bin. `firsts[i]` is the first code of bin i; ascending, with firsts[0] = 0.
struct BinSlots {
  const std::uint32_t* firsts;
  std::uint32_t count;  ///< >= 1

  GANNET_HD std::uint32_t slot(std::uint32_t code) const {
    std::uint32_t low = 0;
    std::uint32_t high = count;
    while (high - low > 1) {
      const std::uint32_t middle = low + (high - low) / 2;
      (firsts[middle] <= code ? low : high) = middle;
    }
    return low;
  }
};

/// A hash table of codes with open addressing: counters for those codes that occur. The last code,
/// which marks slots without a code, has the slot behind the table.
struct HashSlots {
  static constexpr std::uint32_t kNoCode = 0xffffffffu;
  std::uint32_t* codes;  ///< size + 1, kNoCode at first; more than half stay so
  std::uint32_t size;    ///< a power of two

  /// Where the search for a code begins: bits of a product with 2^32 / golden ratio (Knuth, The Art
  /// of Computer Programming 3, 6.4), mixed.
  GANNET_HD std::uint32_t first(std::uint32_t code) const {
    const std::uint32_t mixed = (code ^ code >> 15) * 0x9e3779b1u;
    return (mixed ^ mixed >> 13) & (size - 1);
  }
};

/// What is added up over the matches that have a field. 0 at first.
struct FieldSums {
  unsigned long long documents;  ///< with a value
  unsigned long long values;
  unsigned long long codes;  ///< their sum
  unsigned long long greatest;
  unsigned long long least_below;  ///< the largest difference of a code from 2^32 - 1
  unsigned long long distinct;     ///< codes that occur
  unsigned long long total;        ///< the sum of their counters
  unsigned long long
      unusual;  ///< floats that FieldSums::parts have no room for; or bad ones: see there
  /// The sum of floats, modulo 2^128, in parts of 32 bits, each of which is a sum itself.
  unsigned long long parts[4];
};

/// How values of floating-point numbers are added up without rounding: as whole numbers of
/// 2^(exponent - 1075), in 128 bits. Values of smaller exponents go to a table by exponent.
struct FloatSums {
  std::uint64_t base, unit;  ///< a value's key is base + code * unit
  bool narrow;               ///< floats of 32 bits
  std::uint32_t exponent;    ///< the smallest one (biased, >= 1) that has room in the 128 bits
  /// By exponent: the sums of low 32 bits and of the rest of significands with their signs, modulo
  /// 2^64. kExponents pairs.
  unsigned long long* rare;

  static constexpr std::uint32_t kExponents = 2048;
  /// Exponents above the smallest one: a significand of 53 bits, shifted by up to so many bits,
  /// times 2^32 values leaves room for the sign.
  static constexpr std::uint32_t kWindow = 42;
  static constexpr unsigned long long kBad = 1ull << 40;  ///< FieldSums::unusual: not finite
};

}  // namespace gannet::query::cuda
