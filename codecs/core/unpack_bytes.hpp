// Four values of one to four bytes of a lane at once, from words with room behind them
// (staged_tiles.hpp): what the wide forms of byte codecs unpack with. Lengths are 2-bit selectors,
// 0 for one byte.
#pragma once

#include <cstdint>

#include "codecs/core/bits.hpp"
#include "codecs/core/tile.hpp"

namespace gannet::codecs {

/// The bits of selectors that are set for values of three and four bytes.
inline constexpr std::uint32_t kThreeBytes = 0xaaaaaaaau;

/// Bytes of the first `count` values whose selectors are in a word; all further ones are 0.
GANNET_HD std::uint32_t selected_bytes(std::uint32_t selectors, std::uint32_t count) {
  return count + popcount(selectors) + popcount(selectors & kThreeBytes);
}

/// How many bytes values have at most: what decides how many words four of them span.
enum class ByteClass { kUpTo2, kUpTo4 };

/// Four values from byte `byte` of `data` on; their selectors are the lowest eight bits. Reads up
/// to three words from the one in which they start, or (kUpTo4) one behind each value's first.
template <ByteClass kClass>
GANNET_HD Quad unpack_byte_quad(const std::uint32_t* data, std::uint32_t byte,
                                std::uint32_t selectors) {
  Quad quad;
  if constexpr (kClass == ByteClass::kUpTo2) {
    const std::uint32_t* words = data + byte / 4;
    const std::uint32_t shift = byte % 4 * 8;
    const std::uint64_t bytes =
        concat(funnel(words[0], words[1], shift), funnel(words[1], words[2], shift));
    std::uint32_t bit = 0;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t second = selectors >> (2 * i) & 1;
      quad.value[i] = static_cast<std::uint32_t>(bytes >> bit) & (0xff + second * 0xff00);
      bit += 8 + 8 * second;
    }
  } else {
    std::uint32_t bit = byte * 8;
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t more = selectors >> (2 * i) & 3;
      const std::uint32_t* words = data + bit / 32;
      quad.value[i] = funnel(words[0], words[1], bit) & 0xffffffff >> (24 - 8 * more);
      bit += 8 + 8 * more;
    }
  }
  return quad;
}

/// Runs f.template operator()<kClass>() for values of up to two bytes (`narrow`), or any.
template <class F>
GANNET_HD void with_byte_class(bool narrow, F f) {
  if (narrow) {
    f.template operator()<ByteClass::kUpTo2>();
  } else {
    f.template operator()<ByteClass::kUpTo4>();
  }
}

}  // namespace gannet::codecs
