// What decoders of four consecutive values per lane share: windows of packed bits without branches,
// and quads of words.
#pragma once

#include <cstdint>

#include "codecs/core/bits.hpp"
#include "codecs/core/lanes.hpp"
#include "codecs/core/tile.hpp"

namespace gannet::codecs {

/// Bits [bit, end) of `packed` in the lowest places, don't-care bits above them; end - bit is at
/// most 32. Reads only words that hold these bits. For an empty window at bit 0 it reads packed[0]
/// and packed[-1]: base_of() makes that safe.
GANNET_HD std::uint32_t window(const std::uint32_t* packed, std::uint32_t bit, std::uint32_t end) {
  const std::uint32_t low = packed[bit / 32];
  const std::uint32_t high = packed[static_cast<std::int32_t>(end - 1) >> 5];
  return funnel(low, high, bit % 32);
}

/// Where windows of values of `width` bits are to be read from, if they are packed at `packed`.
/// Values of no bits are read from the two words before it (and masked away): there may be no
/// words of their own.
GANNET_HD const std::uint32_t* base_of(const std::uint32_t* packed, std::uint32_t width) {
  return width == 0 ? packed - 1 : packed;
}

/// Reads four consecutive packed values, the first of which starts at bit `bit`, and adds
/// `reference`. `Together` (4, 2, 1) of them must fit 32 bits: these are read at once.
template <std::uint32_t Together>
GANNET_HD void unpack_four(const std::uint32_t* base, std::uint32_t bit, std::uint32_t width,
                           std::uint32_t reference, Quad& out) {
  const std::uint32_t mask = low_mask(width);
  for (std::uint32_t i = 0; i < 4; i += Together, bit += Together * width) {
    const std::uint32_t bits = window(base, bit, bit + Together * width);
    for (std::uint32_t k = 0; k < Together; ++k) {
      out.value[i + k] = reference + (bits >> (k * width) & mask);
    }
  }
}

/// Sets the values from `size` on to 0.
template <class Lanes>
GANNET_HD void clear_beyond(Lanes lanes, std::uint32_t size,
                            typename Lanes::template Var<Quad>& out) {
  if (size == kTile) return;
  lanes.each([&](std::uint32_t lane) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (4 * lane + i >= size) out[lane].value[i] = 0;
    }
  });
}

/// Four consecutive words, read at once where they are aligned.
GANNET_HD Quad load_quad(const std::uint32_t* words) {
  if (reinterpret_cast<std::uintptr_t>(words) % sizeof(Quad) == 0) {
    return *reinterpret_cast<const Quad*>(words);
  }
  return {{words[0], words[1], words[2], words[3]}};
}

}  // namespace gannet::codecs
