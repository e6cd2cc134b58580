// Packs the codes of a column block as the kernels read them. Host code; needs no GPU.
#pragma once

#include <cstdint>
#include <span>

#include "query/gpu/plan/views.hpp"

namespace gannet::query::cuda {

/// Bytes of a number up to `most`: 0 to 4.
constexpr std::uint32_t code_width(std::uint32_t most) {
  std::uint32_t width = 0;
  for (; most != 0; most >>= 8) ++width;
  return width;
}

/// The description of a block of `count` codes, without `first_byte`.
inline CodeBlock code_block(const index::FieldBlock& block) {
  if (block.least > block.greatest) return {0, 1, 0, 0};
  const auto least = static_cast<std::uint32_t>(block.least);
  const auto greatest = static_cast<std::uint32_t>(block.greatest);
  return {0, least, greatest, code_width(greatest - least)};
}

/// Bytes of the packed block.
constexpr std::uint64_t packed_bytes(std::uint64_t count, const CodeBlock& block) {
  return groups_of(count) * kGroupCodes * block.width;
}

/// Writes the codes of a block to `out`: packed_bytes() bytes, which must be 0 before.
inline void pack_codes(std::span<const std::uint32_t> codes, const CodeBlock& block,
                       std::uint8_t* out) {
  for (const std::uint32_t code : codes) {
    // The code of a document without the field is arbitrary.
    const bool inside = block.least <= code && code <= block.greatest;
    const std::uint32_t number = inside ? code - block.least : 0;
    for (std::uint32_t i = 0; i < block.width; ++i) {
      *out++ = static_cast<std::uint8_t>(number >> (8 * i));
    }
  }
}

}  // namespace gannet::query::cuda
