// Sums of packed values. A sum does not depend on the order of the values, so they need not be
// unpacked to the lanes that hold them in next(). A lane takes a miniblock of 32 values, and adds
// up several of them with one instruction. The functions are thread-safe.
#pragma once

#include <cstdint>
#include <numeric>
#include <type_traits>
#include <utility>

#include "codecs/core/bits.hpp"
#include "codecs/core/unpack_quad.hpp"

namespace gannet::codecs {

/// 32 values, stored as value - `reference` (modulo 2^32) in `width` (0..32) bits each: `width`
/// words from `packed` on, not owned.
struct MiniblockView {
  const std::uint32_t* packed;
  std::uint32_t width;
  std::uint32_t reference;
  /// Changes the order in which pieces (sum_packed()) of the miniblock are read: piece i ^ swizzle
  /// takes the place of piece i. The sum does not depend on it. A codec chooses swizzles so that
  /// its lanes use different banks of shared memory.
  std::uint32_t swizzle = 0;
};

/// A swizzle for the miniblock of `lane`, if the miniblocks of all lanes have one width and follow
/// one another without gaps: the five bits of the lane's number in reverse order. If 2^k is
/// the largest power of two up to 32 that divides the width, lanes whose miniblocks start in one
/// bank differ only in the highest k bits of their numbers. These are the lowest k bits of the
/// swizzle.
GANNET_HD std::uint32_t swizzle_of(std::uint32_t lane) {
  std::uint32_t swizzle = 0;
  for (std::uint32_t bit = 0; bit < 5; ++bit) swizzle |= (lane >> bit & 1) << (4 - bit);
  return swizzle;
}

/// The kBits (1..32) bits from bit `bit` of `packed` on. The higher bits of the result are not
/// specified. Reads only words that hold the kBits bits.
template <std::uint32_t kBits>
GANNET_HD std::uint32_t load_bits(const std::uint32_t* packed, std::uint32_t bit) {
  const std::uint32_t* words = packed + bit / 32;
  const std::uint32_t shift = bit % 32;
  return shift + kBits > 32 ? funnel(words[0], words[1], shift) : words[0] >> shift;
}

/// The sum of the kCount (at most 32) values of a piece (sum_packed()), in kWidth bits each. kWidth
/// is 3..31 and not a divisor of 32. The values fill whole words. The result has 32 bits where the
/// sum of 32 values fits, else 64.
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

/// The sum of 32 values in kWidth bits each. kWidth divides 32. word(0) to word(kWidth - 1) return
/// the words that hold the values, each once, in any order.
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

/// The sum of 32 values in kWidth (0..32) bits each. Reads only the kWidth words that hold them.
/// `swizzle` is less than kSwizzles, a power of two; MiniblockView explains it. A piece is the
/// smallest number of values that fill whole words. A piece has an odd number of words.
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

/// Runs f.template operator()<kWidth>() with kWidth = `width`. Does nothing for a width above 32.
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

/// Whether `reference` + a value of `width` bits may be outside of the range of the 32-bit type,
/// signed if `is_signed`. If not, values may be added up without their reference, and 32 *
/// `reference` afterwards.
GANNET_HD bool may_wrap(std::uint32_t reference, std::uint32_t width, bool is_signed) {
  const std::uint32_t room = (is_signed ? 0x7fffffffu : 0xffffffffu) - reference;
  return low_mask(width) > room;
}

/// 32 times the reference, as a signed or an unsigned 32-bit number, modulo 2^64.
GANNET_HD std::uint64_t references_of(const MiniblockView& mini, bool is_signed) {
  const auto high = is_signed && mini.reference >> 31 != 0 ? 0xffffffffu : 0u;
  return concat(mini.reference, high) * 32;
}

/// Adds one miniblock per lane, each of any width, to the sums of the lanes, modulo 2^64. Swizzles
/// are less than kSwizzles. May read kOverread words behind a miniblock.
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
        // Value i of all lanes may be in one bank: then lanes read different values in a step.
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

/// Adds `groups` miniblocks per lane to the sums of the lanes. mini_of(group, lane) returns the
/// MiniblockView for a group in [0, groups). A value is reference + packed value modulo 2^32, taken
/// as a signed number if `is_signed`, else as an unsigned one. Sums are modulo 2^64. Swizzles are
/// less than kSwizzles. May read kOverread words behind a miniblock.
///
/// The fastest code depends on the width. The function selects it once for consecutive groups in
/// which the miniblocks of all lanes have one width.
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
