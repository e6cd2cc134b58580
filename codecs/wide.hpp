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
#include <type_traits>
#include <utility>

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

// Sums in any order: whoever wants only the sum of the values needs no value at its place. A lane
// then takes a miniblock of 32 values, and adds up several of them with one instruction.

/// 32 values: packed in `width` bits each in `width` words, `reference` taken off.
struct Mini {
  const std::uint32_t* packed;
  std::uint32_t width;
  std::uint32_t reference;
  /// Changes the order in which words are read, where it does not matter: word i ^ turn for word i.
  /// Chosen by the codec such that its lanes use different banks of shared memory.
  std::uint32_t turn = 0;
};

/// The word that starts at `bit`, of which kBits bits are wanted: rubbish above them.
template <std::uint32_t kBits>
GANNET_HD std::uint32_t take(const std::uint32_t* packed, std::uint32_t bit) {
  const std::uint32_t* words = packed + bit / 32;
  const std::uint32_t shift = bit % 32;
  return shift + kBits > 32 ? static_cast<std::uint32_t>(join(words[0], words[1]) >> shift)
                            : words[0] >> shift;
}

/// The sum of 32 values of kWidth bits each; `turn` as in Mini.
template <std::uint32_t kWidth>
GANNET_HD std::uint64_t sum_packed(const std::uint32_t* packed,
                                   [[maybe_unused]] std::uint32_t turn) {
  const auto halves = [](std::uint32_t x) { return (x & 0xffff) + (x >> 16); };
  const auto bytes = [](std::uint32_t x) { return (x & 0x00ff00ffu) + (x >> 8 & 0x00ff00ffu); };
  const auto nibbles = [](std::uint32_t x) { return (x & 0x0f0f0f0fu) + (x >> 4 & 0x0f0f0f0fu); };
  if constexpr (kWidth == 0) {
    return 0;
  } else if constexpr (kWidth == 1) {
    return popcount(packed[0]);
  } else if constexpr (kWidth == 2) {
    std::uint32_t fours = 0;
    for (std::uint32_t i = 0; i < 2; ++i) {
      fours += (packed[i] & 0x33333333u) + (packed[i] >> 2 & 0x33333333u);
    }
    return halves(bytes(nibbles(fours)));
  } else if constexpr (kWidth == 3) {
    std::uint32_t twelves = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {  // eight values at a time
      const std::uint32_t x = take<24>(packed, 24 * i);
      const std::uint32_t sixes = (x & 0x1c71c7u) + (x >> 3 & 0x1c71c7u);
      twelves += (sixes & 0x03f03fu) + (sixes >> 6 & 0x03f03fu);
    }
    return (twelves & 0xfff) + (twelves >> 12 & 0xfff);
  } else if constexpr (kWidth == 4) {
    std::uint32_t eights = 0;
    for (std::uint32_t i = 0; i < 4; ++i) eights += nibbles(packed[i]);
    return halves(bytes(eights));
  } else if constexpr (kWidth < 8) {
    // Four values at a time, two of them in one addition; 16 of them fit 2 * kWidth bits.
    constexpr std::uint32_t kEach = (1u << kWidth) - 1;
    constexpr std::uint32_t kEven = kEach | kEach << 2 * kWidth;
    std::uint32_t pairs = 0;
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::uint32_t x = take<4 * kWidth>(packed, 4 * kWidth * i);
      pairs += (x & kEven) + (x >> kWidth & kEven);
    }
    return (pairs & ((1u << 2 * kWidth) - 1)) + (pairs >> 2 * kWidth);
  } else if constexpr (kWidth == 8) {
    std::uint32_t sixteens = 0;
    for (std::uint32_t i = 0; i < 8; ++i) sixteens += bytes(packed[i ^ turn % 8]);
    return halves(sixteens);
  } else if constexpr (kWidth == 16) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < 16; ++i) sum += halves(packed[i ^ turn % 16]);
    return sum;
  } else if constexpr (kWidth == 32) {
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < 32; ++i) sum += packed[i ^ turn % 32];
    return sum;
  } else {
    using Sum = std::conditional_t<(kWidth <= 27), std::uint32_t, std::uint64_t>;
    Sum sum = 0;
    std::uint32_t word = packed[0];
    const auto step = [&](std::uint32_t i) {
      const std::uint32_t shift = i * kWidth % 32;
      const std::uint32_t next = shift + kWidth >= 32 && i < 31 ? packed[i * kWidth / 32 + 1] : 0;
      sum += static_cast<std::uint32_t>(join(word, next) >> shift) & low_mask(kWidth);
      if (shift + kWidth >= 32) word = next;
    };
    // Unrolled, so that shifts and masks are constants.
    [&]<std::uint32_t... kIndex>(std::integer_sequence<std::uint32_t, kIndex...>) {
      (step(kIndex), ...);
    }
    (std::make_integer_sequence<std::uint32_t, 32>{});
    return sum;
  }
}

/// sum_packed for a width that is known at run time only.
GANNET_HD std::uint64_t sum_packed(const std::uint32_t* packed, std::uint32_t width,
                                   std::uint32_t turn) {
  switch (width) {
#define GANNET_WIDTH(n) \
  case n:               \
    return sum_packed<n>(packed, turn);
#define GANNET_WIDTHS(n) \
  GANNET_WIDTH(n) GANNET_WIDTH((n) + 1) GANNET_WIDTH((n) + 2) GANNET_WIDTH((n) + 3)
    GANNET_WIDTHS(0)
    GANNET_WIDTHS(4)
    GANNET_WIDTHS(8)
    GANNET_WIDTHS(12)
    GANNET_WIDTHS(16)
    GANNET_WIDTHS(20)
    GANNET_WIDTHS(24)
    GANNET_WIDTHS(28)
    GANNET_WIDTH(32)
#undef GANNET_WIDTHS
#undef GANNET_WIDTH
    default:
      return 0;
  }
}

/// Adds every lane's miniblock to its sum: the values modulo 2^32, as signed numbers if
/// `is_signed`; sums are modulo 2^64. Reads up to kOverread words behind a miniblock.
template <class Lanes>
GANNET_HD void sum_minis(Lanes lanes, const typename Lanes::template Var<Mini>& minis,
                         bool is_signed, typename Lanes::template Var<std::uint64_t>& sums) {
  typename Lanes::template Var<std::uint32_t> width;
  lanes.each([&](std::uint32_t lane) { width[lane] = minis[lane].width; });
  const std::uint32_t first = lanes.broadcast(width, 0);
  typename Lanes::template Var<std::uint32_t> special;
  typename Lanes::template Var<std::uint32_t> wraps;
  lanes.each([&](std::uint32_t lane) {
    const Mini& mini = minis[lane];
    // The largest value that fits, counted from the reference.
    const std::uint32_t room = (is_signed ? 0x7fffffffu : 0xffffffffu) - mini.reference;
    wraps[lane] = low_mask(mini.width) > room ? 1 : 0;
    special[lane] = wraps[lane] | (mini.width ^ first);
  });
  const bool alike = lanes.ballot(special) == 0;
  if (!alike && lanes.ballot(wraps) != 0) {
    // reference + value may leave the type: value by value.
    lanes.each([&](std::uint32_t lane) {
      const Mini& mini = minis[lane];
      for (std::uint32_t i = 0; i < 32; ++i) {
        const std::uint32_t value =
            mini.reference + extract(mini.packed, i * mini.width, mini.width);
        sums[lane] += is_signed ? static_cast<std::uint64_t>(
                                      static_cast<std::int64_t>(static_cast<std::int32_t>(value)))
                                : value;
      }
    });
    return;
  }
  lanes.each([&](std::uint32_t lane) {
    const std::uint32_t reference = minis[lane].reference;
    const auto high = is_signed && reference >> 31 != 0 ? 0xffffffffu : 0u;
    sums[lane] += join(reference, high) * 32;
  });
  if (alike) {
    lanes.each([&](std::uint32_t lane) {
      sums[lane] += sum_packed(minis[lane].packed, first, minis[lane].turn);
    });
    return;
  }
  with_width_class(width_class(lanes.any_bits(width)), [&]<WidthClass kClass>() {
    lanes.each([&](std::uint32_t lane) {
      std::uint64_t sum = 0;
      for (std::uint32_t q = 0; q < 8; ++q) {
        const Quad quad = unpack_quad<kClass>(minis[lane].packed, q, minis[lane].width);
        if constexpr (kClass == WidthClass::kUpTo32) {
          for (std::uint32_t i = 0; i < 4; ++i) sum += quad.value[i];
        } else {
          sum += quad.value[0] + quad.value[1] + quad.value[2] + quad.value[3];
        }
      }
      sums[lane] += sum;
    });
  });
}

}  // namespace gannet::codecs
