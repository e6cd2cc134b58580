// Functions for decoders with four consecutive values per lane: reading packed bits without
// branches, and reading four words at once. They are thread-safe.
#pragma once

#include <cstdint>

#include "codecs/core/bits.hpp"
#include "codecs/core/lanes.hpp"
#include "codecs/core/tile.hpp"

namespace gannet::codecs {

/// Bits [bit, end) of `packed` in the lowest bits of the result; its higher bits are not specified.
/// end - bit is at most 32. Reads only words that hold bits of the window, if it is not empty. For
/// the empty window at bit 0, the function reads packed[0] and packed[-1]: base_of() makes these
/// reads safe.
GANNET_HD std::uint32_t window(const std::uint32_t* packed, std::uint32_t bit, std::uint32_t end) {
  const std::uint32_t low = packed[bit / 32];
  const std::uint32_t high = packed[static_cast<std::int32_t>(end - 1) >> 5];
  return funnel(low, high, bit % 32);
}

/// The base from which window() reads values that are packed in `width` bits each at `packed`.
/// Values of width 0 have no words. For them, window() reads the two words before `packed`, which
/// must be readable, and the caller masks the result.
GANNET_HD const std::uint32_t* base_of(const std::uint32_t* packed, std::uint32_t width) {
  return width == 0 ? packed - 1 : packed;
}

/// Reads four consecutive packed values of `width` bits and adds `reference` to each, modulo 2^32.
/// The first value starts at bit `bit` of `base`, a result of base_of(). The function reads
/// `Together` values at once: 1, 2 or 4, such that `Together` * `width` is at most 32.
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

/// Sets the values of a tile from position `size` on to 0.
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

/// Four consecutive words. One read if `words` is aligned to 16 bytes, else four.
GANNET_HD Quad load_quad(const std::uint32_t* words) {
  if (reinterpret_cast<std::uintptr_t>(words) % sizeof(Quad) == 0) {
    return *reinterpret_cast<const Quad*>(words);
  }
  return {{words[0], words[1], words[2], words[3]}};
}

}  // namespace gannet::codecs
