// Sums of packed values, in any order: whoever wants only the sum needs no value at its place. A
// lane takes a miniblock of 32 values, and adds up several of them with one instruction.
#pragma once

#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>

#include "codecs/core/bits.hpp"
#include "codecs/core/unpack_quad.hpp"

namespace gannet::codecs {

/// 32 values: packed in `width` bits each in `width` words, `reference` taken off.
struct MiniblockView {
  const std::uint32_t* packed;
  std::uint32_t width;
  std::uint32_t reference;
  /// Changes the order in which pieces of the miniblock are read, which does not matter: piece
  /// i ^ swizzle for piece i. Chosen by the codec such that its lanes use different banks of shared
  /// memory.
  std::uint32_t swizzle = 0;
};

/// The swizzle of a lane's miniblock, if those of the lanes follow each other without gaps. Lanes
/// whose miniblocks of w words start at the same bank differ in the highest bits of their numbers,
/// as many as w is divisible by two: these make the lowest bits.
GANNET_HD std::uint32_t swizzle_of(std::uint32_t lane) {
  std::uint32_t swizzle = 0;
  for (std::uint32_t bit = 0; bit < 5; ++bit) swizzle |= (lane >> bit & 1) << (4 - bit);
  return swizzle;
}

/// The word that starts at `bit`, of which kBits bits are wanted; those above them are don't-care
/// bits.
template <std::uint32_t kBits>
GANNET_HD std::uint32_t load_bits(const std::uint32_t* packed, std::uint32_t bit) {
  const std::uint32_t* words = packed + bit / 32;
  const std::uint32_t shift = bit % 32;
  return shift + kBits > 32 ? funnel(words[0], words[1], shift) : words[0] >> shift;
}

/// The sum of kCount values of kWidth bits each (3 or more, not a divisor of 32), in whole words.
template <std::uint32_t kWidth, std::uint32_t kCount>
GANNET_HD auto sum_piece(const std::uint32_t* packed) {
  static_assert(kWidth * kCount % 32 == 0);
  if constexpr (kWidth == 3) {
    std::uint32_t twelves = 0;
    for (std::uint32_t i = 0; i < kCount / 8; ++i) {  // eight values at a time
      const std::uint32_t x = load_bits<24>(packed, 24 * i);
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
      const std::uint32_t x = load_bits<4 * kWidth>(packed, 4 * kWidth * i);
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
      part += static_cast<std::uint32_t>(concat(word, next) >> shift) & low_mask(kWidth);
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

/// The sum of 32 values of kWidth bits each; `swizzle` (less than kSwizzles, a power of two) as in
/// MiniblockView. A piece is the fewest values that take whole words; pieces have an odd number of
/// words.
template <std::uint32_t kWidth, std::uint32_t kSwizzles>
GANNET_HD std::uint64_t sum_packed(const std::uint32_t* packed,
                                   [[maybe_unused]] std::uint32_t swizzle) {
  if constexpr (kWidth == 0) {
    return 0;
  } else {
    constexpr std::uint32_t kPieces = std::gcd(kWidth, 32u);
    constexpr std::uint32_t kWords = kWidth / kPieces;
    constexpr std::uint32_t kOrders = kPieces < kSwizzles ? kPieces : kSwizzles;
    const auto piece = [&](std::uint32_t i) {
      return packed + i / kOrders * kOrders * kWords + (i % kOrders ^ swizzle % kOrders) * kWords;
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
GANNET_HD std::uint64_t references_of(const MiniblockView& mini, bool is_signed) {
  const auto high = is_signed && mini.reference >> 31 != 0 ? 0xffffffffu : 0u;
  return concat(mini.reference, high) * 32;
}

/// Adds miniblocks of any widths, one a lane, to the lanes' sums; swizzles as for sum_minis.
template <std::uint32_t kSwizzles, class Lanes>
GANNET_HD void sum_mixed_widths(Lanes lanes,
                                const typename Lanes::template Var<MiniblockView>& minis,
                                bool is_signed, typename Lanes::template Var<std::uint64_t>& sums) {
  typename Lanes::template Var<std::uint32_t> width;
  typename Lanes::template Var<std::uint32_t> wraps;
  lanes.each([&](std::uint32_t lane) {
    width[lane] = minis[lane].width;
    wraps[lane] = may_wrap(minis[lane].reference, minis[lane].width, is_signed) ? 1 : 0;
  });
  if (lanes.ballot(wraps) != 0) {  // value by value
    lanes.each([&](std::uint32_t lane) {
      const MiniblockView& mini = minis[lane];
      for (std::uint32_t i = 0; i < 32; ++i) {
        // Where all lanes' i-th values may be in one bank, they do not take the same ones.
        const std::uint32_t which = kSwizzles > 2 ? i ^ mini.swizzle : i;
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
/// sums are modulo 2^64. Swizzles are less than kSwizzles. Reads up to kOverread words behind a
/// miniblock.
///
/// What takes the fewest instructions depends on the width: that is asked for once, and not again
/// for as long as the next miniblocks of all lanes have the same one.
template <std::uint32_t kSwizzles, class Lanes, class MiniOf>
GANNET_HD void sum_minis(Lanes lanes, std::uint32_t groups, MiniOf mini_of, bool is_signed,
                         typename Lanes::template Var<std::uint64_t>& sums) {
  typename Lanes::template Var<MiniblockView> minis;
  typename Lanes::template Var<std::uint32_t> width;
  typename Lanes::template Var<std::uint32_t> unlike;
  std::uint32_t group = 0;
  const auto look = [&] {
    lanes.each([&](std::uint32_t lane) { minis[lane] = mini_of(group, lane); });
  };
  const auto all_have = [&](std::uint32_t wanted) {
    lanes.each([&](std::uint32_t lane) {
      const MiniblockView& mini = minis[lane];
      unlike[lane] = mini.width != wanted || may_wrap(mini.reference, wanted, is_signed) ? 1 : 0;
    });
    return lanes.ballot(unlike) == 0;
  };
  if (groups > 0) look();
  while (group < groups) {
    lanes.each([&](std::uint32_t lane) { width[lane] = minis[lane].width; });
    const std::uint32_t wanted = lanes.broadcast(width, 0);
    if (!all_have(wanted)) {
      sum_mixed_widths<kSwizzles>(lanes, minis, is_signed, sums);
      if (++group < groups) look();
      continue;
    }
    with_width(wanted, [&]<std::uint32_t kWidth>() {
      do {
        lanes.each([&](std::uint32_t lane) {
          sums[lane] += references_of(minis[lane], is_signed);
          sums[lane] += sum_packed<kWidth, kSwizzles>(minis[lane].packed, minis[lane].swizzle);
        });
        if (++group == groups) break;
        look();
      } while (all_have(kWidth));
    });
  }
}

}  // namespace gannet::codecs
