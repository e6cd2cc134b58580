// The wide forms of tile decoders: several full tiles at a time, from words with room behind them.
//
// Codec::next decodes any tile, from words of which none may be read in vain. Device-wide decoding
// stages the payload of eight tiles in shared memory, and has time for one thing only: to keep the
// memory busy. There a codec's optional `next_wide` (codec.hpp) decodes four full tiles at once,
// so that their steps overlap, and may read up to kOverread words behind a payload.
// These are the parts that such forms are made of. They compile for the host as well: tests hold
// them against `extract`.
#pragma once

#include <cstdint>

#include "gannet/codecs/bits.hpp"
#include "gannet/codecs/codec.hpp"
#include "gannet/codecs/lanes.hpp"
#include "gannet/codecs/tile.hpp"

namespace gannet::codecs {

/// Full tiles that next_wide decodes at a time.
inline constexpr std::uint32_t kWideTiles = 4;

/// Words behind a payload that wide forms may read, whatever they hold.
inline constexpr std::uint32_t kOverread = 4;

/// Two words as one number.
GANNET_HD std::uint64_t join(std::uint32_t low, std::uint32_t high) {
  return static_cast<std::uint64_t>(high) << 32 | low;
}

/// How many bits the values of a block have at most: what decides how many words four of them span.
enum class WidthClass { kUpTo8, kUpTo16, kUpTo32 };

GANNET_HD WidthClass width_class(std::uint32_t width) {
  return width <= 8 ? WidthClass::kUpTo8 : width <= 16 ? WidthClass::kUpTo16 : WidthClass::kUpTo32;
}

/// Values 4q .. 4q+3 of values packed in `width` bits each, where width is of class `kClass`
/// (a width of 0 gives zeros). Reads whole words around them: up to kOverread words behind.
template <WidthClass kClass>
GANNET_HD Quad unpack_quad(const std::uint32_t* packed, std::uint32_t q, std::uint32_t width) {
  const std::uint32_t mask = low_mask(width);
  const std::uint32_t bit = 4 * q * width;
  const std::uint32_t* words = packed + bit / 32;
  const std::uint32_t shift = bit % 32;
  if constexpr (kClass == WidthClass::kUpTo8) {
    const auto x = static_cast<std::uint32_t>(join(words[0], words[1]) >> shift);
    return {{x & mask, x >> width & mask, x >> 2 * width & mask, x >> 3 * width & mask}};
  } else if constexpr (kClass == WidthClass::kUpTo16) {
    const auto low = static_cast<std::uint32_t>(join(words[0], words[1]) >> shift);
    const auto high = static_cast<std::uint32_t>(join(words[1], words[2]) >> shift);
    const std::uint64_t x = join(low, high);
    return {{low & mask, static_cast<std::uint32_t>(x >> width) & mask,
             static_cast<std::uint32_t>(x >> 2 * width) & mask,
             static_cast<std::uint32_t>(x >> 3 * width) & mask}};
  } else {
    Quad quad;
    for (std::uint32_t half = 0; half < 2; ++half) {
      const std::uint32_t at = bit + 2 * half * width;
      const std::uint32_t* pair = packed + at / 32;
      const auto low = static_cast<std::uint32_t>(join(pair[0], pair[1]) >> at % 32);
      const auto high = static_cast<std::uint32_t>(join(pair[1], pair[2]) >> at % 32);
      quad.value[2 * half] = low & mask;
      quad.value[2 * half + 1] = static_cast<std::uint32_t>(join(low, high) >> width) & mask;
    }
    return quad;
  }
}

/// Runs f.template operator()<kClass>() for the class that `kind` is.
template <class F>
GANNET_HD void with_width_class(WidthClass kind, F f) {
  if (kind == WidthClass::kUpTo8) {
    f.template operator()<WidthClass::kUpTo8>();
  } else if (kind == WidthClass::kUpTo16) {
    f.template operator()<WidthClass::kUpTo16>();
  } else {
    f.template operator()<WidthClass::kUpTo32>();
  }
}

/// A lane's values of kWideTiles tiles.
struct WideQuads {
  Quad tile[kWideTiles];
};

/// Exclusive sums over the lanes, of kWideTiles numbers a lane at once, and the totals. If `small`,
/// no total is 2^16 or more, and one scan serves two numbers. Sums are modulo 2^32.
template <class Lanes>
GANNET_HD void scan_wide(Lanes lanes, bool small,
                         typename Lanes::template Var<std::uint32_t> (&x)[kWideTiles],
                         std::uint32_t (&totals)[kWideTiles]) {
  if (small) {
    typename Lanes::template Var<std::uint32_t> both[kWideTiles / 2];
    std::uint32_t all[kWideTiles / 2];
    for (std::uint32_t h = 0; h < kWideTiles / 2; ++h) {
      lanes.each(
          [&](std::uint32_t lane) { both[h][lane] = x[2 * h][lane] | x[2 * h + 1][lane] << 16; });
    }
    for (std::uint32_t h = 0; h < kWideTiles / 2; ++h) all[h] = lanes.exclusive_scan(both[h]);
    for (std::uint32_t h = 0; h < kWideTiles / 2; ++h) {
      totals[2 * h] = all[h] & 0xffff;
      totals[2 * h + 1] = all[h] >> 16;
      lanes.each([&](std::uint32_t lane) {
        x[2 * h][lane] = both[h][lane] & 0xffff;
        x[2 * h + 1][lane] = both[h][lane] >> 16;
      });
    }
  } else {
    for (std::uint32_t t = 0; t < kWideTiles; ++t) totals[t] = lanes.exclusive_scan(x[t]);
  }
}

// Blocks of 128 values in four miniblocks of 32, with a reference and four 8-bit widths ahead.

inline constexpr std::uint32_t kMiniSize32 = 32;

/// Words of the payload before miniblock `mini`, given the widths: a sum of at most three bytes,
/// each <= 32, by one multiplication.
GANNET_HD std::uint32_t mini_start(std::uint32_t widths, std::uint32_t mini) {
  return widths * 0x01010100u >> 8 * mini & 0xff;
}

/// The class of the largest of the widths of kWideTiles blocks.
GANNET_HD WidthClass width_class_of(const std::uint32_t (&widths)[kWideTiles]) {
  std::uint32_t above8 = 0;
  std::uint32_t above16 = 0;
  for (std::uint32_t t = 0; t < kWideTiles; ++t) {
    above8 |= widths[t] + 0x77777777u;  // 9 + 0x77 is the first sum with a byte's highest bit
    above16 |= widths[t] + 0x6f6f6f6fu;
  }
  if ((above8 & 0x80808080u) == 0) return WidthClass::kUpTo8;
  return (above16 & 0x80808080u) == 0 ? WidthClass::kUpTo16 : WidthClass::kUpTo32;
}

/// Unpacks a lane's quad of a block whose four miniblocks start at `payload`.
template <WidthClass kClass>
GANNET_HD Quad unpack_mini_quad(const std::uint32_t* payload, std::uint32_t widths,
                                std::uint32_t lane) {
  const std::uint32_t mini = lane / (kMiniSize32 / 4);
  return unpack_quad<kClass>(payload + mini_start(widths, mini), lane % (kMiniSize32 / 4),
                             widths >> 8 * mini & 0xff);
}

}  // namespace gannet::codecs
