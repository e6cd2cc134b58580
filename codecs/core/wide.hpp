// The wide forms of tile decoders: several full tiles at a time, from words with room behind them.
//
// These are the parts that such forms are made of. They compile for the host as well: tests hold
// them against `extract`.
#pragma once

#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>

#include "codecs/core/bits.hpp"
#include "codecs/core/codec.hpp"
#include "codecs/core/lanes.hpp"
#include "codecs/core/quads.hpp"
#include "codecs/core/staged_tiles.hpp"
#include "codecs/core/tile.hpp"

namespace gannet::codecs {

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
    if (width == 32) return load_quad(words);
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
  /// Changes the order in which pieces of the miniblock are read, which does not matter: piece
  /// i ^ turn for piece i. Chosen by the codec such that its lanes use different banks of shared
  /// memory.
  std::uint32_t turn = 0;
};

/// The turn of a lane's miniblock, if those of the lanes follow each other without gaps. Lanes
/// whose miniblocks of w words start at the same bank differ in the highest bits of their numbers,
/// as many as w is divisible by two: these make the lowest bits.
GANNET_HD std::uint32_t turn_of(std::uint32_t lane) {
  std::uint32_t turn = 0;
  for (std::uint32_t bit = 0; bit < 5; ++bit) turn |= (lane >> bit & 1) << (4 - bit);
  return turn;
}

/// The word that starts at `bit`, of which kBits bits are wanted: rubbish above them.
template <std::uint32_t kBits>
GANNET_HD std::uint32_t take(const std::uint32_t* packed, std::uint32_t bit) {
  const std::uint32_t* words = packed + bit / 32;
  const std::uint32_t shift = bit % 32;
  return shift + kBits > 32 ? static_cast<std::uint32_t>(join(words[0], words[1]) >> shift)
                            : words[0] >> shift;
}

/// The sum of kCount values of kWidth bits each (3 or more, not a divisor of 32), in whole words.
template <std::uint32_t kWidth, std::uint32_t kCount>
GANNET_HD auto sum_piece(const std::uint32_t* packed) {
  static_assert(kWidth * kCount % 32 == 0);
  if constexpr (kWidth == 3) {
    std::uint32_t twelves = 0;
    for (std::uint32_t i = 0; i < kCount / 8; ++i) {  // eight values at a time
      const std::uint32_t x = take<24>(packed, 24 * i);
      const std::uint32_t sixes = (x & 0x1c71c7u) + (x >> 3 & 0x1c71c7u);
      twelves += (sixes & 0x03f03fu) + (sixes >> 6 & 0x03f03fu);
    }
    return (twelves & 0xfff) + (twelves >> 12 & 0xfff);
  } else if constexpr (kWidth < 8) {
    // Four values at a time, two of them in one addition; 16 of them fit 2 * kWidth bits.
    constexpr std::uint32_t kEach = (1u << kWidth) - 1;
    constexpr std::uint32_t kEven = kEach | kEach << 2 * kWidth;
    std::uint32_t pairs = 0;
    for (std::uint32_t i = 0; i < kCount / 4; ++i) {
      const std::uint32_t x = take<4 * kWidth>(packed, 4 * kWidth * i);
      pairs += (x & kEven) + (x >> kWidth & kEven);
    }
    return (pairs & ((1u << 2 * kWidth) - 1)) + (pairs >> 2 * kWidth);
  } else {
    using Sum = std::conditional_t<(kWidth <= 27), std::uint32_t, std::uint64_t>;
    constexpr std::uint32_t kAtOnce = kWidth <= 27 ? kCount : 1u << (32 - kWidth);  // fit 32 bits
    Sum sum = 0;
    std::uint32_t part = 0;
    std::uint32_t word = packed[0];
    const auto step = [&](std::uint32_t i) {
      const std::uint32_t shift = i * kWidth % 32;
      const bool ends = shift + kWidth >= 32;
      const std::uint32_t next = ends && i + 1 < kCount ? packed[i * kWidth / 32 + 1] : 0;
      part += static_cast<std::uint32_t>(join(word, next) >> shift) & low_mask(kWidth);
      if (ends) word = next;
      if ((i + 1) % kAtOnce == 0) {
        sum += part;
        part = 0;
      }
    };
    // Unrolled, so that shifts and masks are constants.
    [&]<std::uint32_t... kIndex>(std::integer_sequence<std::uint32_t, kIndex...>) {
      (step(kIndex), ...);
    }
    (std::make_integer_sequence<std::uint32_t, kCount>{});
    return sum + part;
  }
}

/// The sum of 32 values of kWidth bits each, a divisor of 32, where word(i) gives the words, in any
/// order.
template <std::uint32_t kWidth, class Word>
GANNET_HD std::uint64_t sum_words(Word word) {
  constexpr std::uint32_t kLow = 0x0f0f0f0fu;
  if constexpr (kWidth == 1) {
    return popcount(word(0));
  } else if constexpr (kWidth == 2) {
    std::uint32_t fours = 0;
    for (std::uint32_t i = 0; i < 2; ++i) {
      const std::uint32_t x = word(i);
      fours += (x & 0x33333333u) + (x >> 2 & 0x33333333u);
    }
    return add_bytes(fours & kLow, add_bytes(fours >> 4 & kLow, 0));
  } else if constexpr (kWidth == 4) {
    std::uint32_t all = 0;   // low ones and 16 times the high ones
    std::uint32_t lows = 0;  // low ones
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t x = word(i);
      all = add_bytes(x, all);
      lows = add_bytes(x & kLow, lows);
    }
    return (all - lows) / 16 + lows;
  } else if constexpr (kWidth == 8) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < 8; ++i) sum = add_bytes(word(i), sum);
    return sum;
  } else if constexpr (kWidth == 16) {
    std::uint32_t sum = 0;
    for (std::uint32_t i = 0; i < 16; ++i) sum = add_halves(word(i), sum);
    return sum;
  } else {
    static_assert(kWidth == 32);
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < 32; ++i) sum += word(i);
    return sum;
  }
}

/// The sum of 32 values of kWidth bits each; `turn` (less than kTurns, a power of two) as in Mini.
/// A piece is the fewest values that take whole words; pieces have an odd number of words.
template <std::uint32_t kWidth, std::uint32_t kTurns>
GANNET_HD std::uint64_t sum_packed(const std::uint32_t* packed,
                                   [[maybe_unused]] std::uint32_t turn) {
  if constexpr (kWidth == 0) {
    return 0;
  } else {
    constexpr std::uint32_t kPieces = std::gcd(kWidth, 32u);
    constexpr std::uint32_t kWords = kWidth / kPieces;
    constexpr std::uint32_t kOrders = kPieces < kTurns ? kPieces : kTurns;
    const auto piece = [&](std::uint32_t i) {
      return packed + i / kOrders * kOrders * kWords + (i % kOrders ^ turn % kOrders) * kWords;
    };
    if constexpr (kWords == 1) {
      return sum_words<kWidth>([&](std::uint32_t i) { return *piece(i); });
    } else {
      decltype(sum_piece<kWidth, 32 / kPieces>(packed)) sum = 0;
      for (std::uint32_t i = 0; i < kPieces; ++i) sum += sum_piece<kWidth, 32 / kPieces>(piece(i));
      return sum;
    }
  }
}

/// Runs f.template operator()<kWidth>() for a width of 0 to 32.
template <class F>
GANNET_HD void with_width(std::uint32_t width, F f) {
  switch (width) {
#define GANNET_WIDTH(n)         \
  case n:                       \
    f.template operator()<n>(); \
    break;
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
      break;
  }
}

/// Whether reference + value may leave the type. What does not is added up without its reference.
GANNET_HD bool may_wrap(std::uint32_t reference, std::uint32_t width, bool is_signed) {
  const std::uint32_t room = (is_signed ? 0x7fffffffu : 0xffffffffu) - reference;
  return low_mask(width) > room;
}

/// 32 times the reference.
GANNET_HD std::uint64_t references_of(const Mini& mini, bool is_signed) {
  const auto high = is_signed && mini.reference >> 31 != 0 ? 0xffffffffu : 0u;
  return join(mini.reference, high) * 32;
}

/// Adds miniblocks of any widths, one a lane, to the lanes' sums; turns as for sum_minis.
template <std::uint32_t kTurns, class Lanes>
GANNET_HD void sum_unlike(Lanes lanes, const typename Lanes::template Var<Mini>& minis,
                          bool is_signed, typename Lanes::template Var<std::uint64_t>& sums) {
  typename Lanes::template Var<std::uint32_t> width;
  typename Lanes::template Var<std::uint32_t> wraps;
  lanes.each([&](std::uint32_t lane) {
    width[lane] = minis[lane].width;
    wraps[lane] = may_wrap(minis[lane].reference, minis[lane].width, is_signed) ? 1 : 0;
  });
  if (lanes.ballot(wraps) != 0) {  // value by value
    lanes.each([&](std::uint32_t lane) {
      const Mini& mini = minis[lane];
      for (std::uint32_t i = 0; i < 32; ++i) {
        // Where all lanes' i-th values may be in one bank, they do not take the same ones.
        const std::uint32_t which = kTurns > 2 ? i ^ mini.turn : i;
        const std::uint32_t value =
            mini.reference + extract(mini.packed, which * mini.width, mini.width);
        sums[lane] += is_signed ? static_cast<std::uint64_t>(
                                      static_cast<std::int64_t>(static_cast<std::int32_t>(value)))
                                : value;
      }
    });
    return;
  }
  with_width_class(width_class(lanes.any_bits(width)), [&]<WidthClass kClass>() {
    lanes.each([&](std::uint32_t lane) {
      std::uint64_t sum = references_of(minis[lane], is_signed);
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

/// Adds miniblocks to the lanes' sums: `groups` times one a lane, that of `lane` being
/// mini_of(group, lane). They are added up as values modulo 2^32, as signed numbers if `is_signed`;
/// sums are modulo 2^64. Turns are less than kTurns. Reads up to kOverread words behind a
/// miniblock.
///
/// What takes the fewest instructions depends on the width: that is asked for once, and not again
/// for as long as the next miniblocks of all lanes have the same one.
template <std::uint32_t kTurns, class Lanes, class MiniOf>
GANNET_HD void sum_minis(Lanes lanes, std::uint32_t groups, MiniOf mini_of, bool is_signed,
                         typename Lanes::template Var<std::uint64_t>& sums) {
  typename Lanes::template Var<Mini> minis;
  typename Lanes::template Var<std::uint32_t> width;
  typename Lanes::template Var<std::uint32_t> unlike;
  std::uint32_t group = 0;
  const auto look = [&] {
    lanes.each([&](std::uint32_t lane) { minis[lane] = mini_of(group, lane); });
  };
  const auto all_have = [&](std::uint32_t wanted) {
    lanes.each([&](std::uint32_t lane) {
      const Mini& mini = minis[lane];
      unlike[lane] = mini.width != wanted || may_wrap(mini.reference, wanted, is_signed) ? 1 : 0;
    });
    return lanes.ballot(unlike) == 0;
  };
  if (groups > 0) look();
  while (group < groups) {
    lanes.each([&](std::uint32_t lane) { width[lane] = minis[lane].width; });
    const std::uint32_t wanted = lanes.broadcast(width, 0);
    if (!all_have(wanted)) {
      sum_unlike<kTurns>(lanes, minis, is_signed, sums);
      if (++group < groups) look();
      continue;
    }
    with_width(wanted, [&]<std::uint32_t kWidth>() {
      do {
        lanes.each([&](std::uint32_t lane) {
          sums[lane] += references_of(minis[lane], is_signed);
          sums[lane] += sum_packed<kWidth, kTurns>(minis[lane].packed, minis[lane].turn);
        });
        if (++group == groups) break;
        look();
      } while (all_have(kWidth));
    });
  }
}

}  // namespace gannet::codecs
