// Unpacking of four packed values per lane, for the wide forms of tile decoders. The words may be
// read beyond their end (kOverread in staged_tiles.hpp). Tests compare with extract(). The
// functions are thread-safe.
#pragma once

#include <cstdint>

#include "codecs/core/bits.hpp"
#include "codecs/core/quads.hpp"
#include "codecs/core/staged_tiles.hpp"

namespace gannet::codecs {

/// The largest number of bits of a value. It decides how many words four values span.
enum class WidthClass { kUpTo8, kUpTo16, kUpTo32 };

/// The class of a width of 0 to 32 bits.
GANNET_HD WidthClass width_class(std::uint32_t width) {
  return width <= 8 ? WidthClass::kUpTo8 : width <= 16 ? WidthClass::kUpTo16 : WidthClass::kUpTo32;
}

/// Values 4q .. 4q+3 of values that are packed in `width` bits each. `width` is at most that of the
/// class; values of width 0 are 0. The function may read up to kOverread words behind the last of
/// the four values.
template <WidthClass kClass>
GANNET_HD Quad unpack_quad(const std::uint32_t* packed, std::uint32_t q, std::uint32_t width) {
  const std::uint32_t mask = low_mask(width);
  const std::uint32_t bit = 4 * q * width;
  const std::uint32_t* words = packed + bit / 32;
  const std::uint32_t shift = bit % 32;
  if constexpr (kClass == WidthClass::kUpTo8) {
    const auto x = funnel(words[0], words[1], shift);
    return {{x & mask, x >> width & mask, x >> 2 * width & mask, x >> 3 * width & mask}};
  } else if constexpr (kClass == WidthClass::kUpTo16) {
    const auto low = funnel(words[0], words[1], shift);
    const auto high = funnel(words[1], words[2], shift);
    const std::uint64_t x = concat(low, high);
    return {{low & mask, static_cast<std::uint32_t>(x >> width) & mask,
             static_cast<std::uint32_t>(x >> 2 * width) & mask,
             static_cast<std::uint32_t>(x >> 3 * width) & mask}};
  } else {
    if (width == 32) return load_quad(words);
    Quad quad;
    for (std::uint32_t half = 0; half < 2; ++half) {
      const std::uint32_t at = bit + 2 * half * width;
      const std::uint32_t* pair = packed + at / 32;
      const auto low = funnel(pair[0], pair[1], at % 32);
      const auto high = funnel(pair[1], pair[2], at % 32);
      quad.value[2 * half] = low & mask;
      quad.value[2 * half + 1] = static_cast<std::uint32_t>(concat(low, high) >> width) & mask;
    }
    return quad;
  }
}

/// Runs f.template operator()<kClass>() with kClass = `kind`.
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

}  // namespace gannet::codecs
