// Unpacking of four values of one to four bytes per lane, for the wide forms of byte codecs. A
// selector of 2 bits has the length of a value: 0 for one byte, 3 for four. The first selector is
// in the lowest bits of a word. The words may be read beyond their end (kOverread in
// staged_tiles.hpp). The functions are thread-safe.
#pragma once

#include <cstdint>

#include "codecs/core/bits.hpp"
#include "codecs/core/tile.hpp"

namespace gannet::codecs {

/// The bits of a word of selectors that are 1 for values of three and four bytes.
inline constexpr std::uint32_t kThreeBytes = 0xaaaaaaaau;

/// Bytes of the first `count` (0..16) values of a word of selectors. All later selectors must be 0.
GANNET_HD std::uint32_t selected_bytes(std::uint32_t selectors, std::uint32_t count) {
  return count + popcount(selectors) + popcount(selectors & kThreeBytes);
}

/// The largest number of bytes of a value. It decides how many words four values span.
enum class ByteClass { kUpTo2, kUpTo4 };

/// The four values that start at byte `byte` of `data`. Their selectors are the lowest eight bits
/// of `selectors`; higher bits are ignored. No value has more bytes than the class. kUpTo2 reads
/// three words, from the one in which the first value starts. kUpTo4 reads two words for each
/// value, from the one in which the value starts.
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

/// Runs f.template operator()<kClass>(): with kUpTo2 if `narrow`, else with kUpTo4.
template <class F>
GANNET_HD void with_byte_class(bool narrow, F f) {
  if (narrow) {
    f.template operator()<ByteClass::kUpTo2>();
  } else {
    f.template operator()<ByteClass::kUpTo4>();
  }
}

}  // namespace gannet::codecs
