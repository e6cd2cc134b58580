// Single codes of a column.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "index/fields/field_column.hpp"
#include "query/gpu/plan/views.hpp"

namespace gannet::query::cuda {

/// The code at this position of a column.
__device__ __forceinline__ std::uint32_t code_at(const CodesView& codes, std::uint32_t position) {
  const CodeBlock& block = codes.blocks[position / index::kFieldBlock];
  const std::uint8_t* const bytes =
      codes.bytes + block.first_byte + std::size_t{position % index::kFieldBlock} * block.width;
  std::uint32_t number = 0;
  switch (block.width) {
    case 0:
      break;
    case 1:
      number = bytes[0];
      break;
    case 2:
      number = *reinterpret_cast<const std::uint16_t*>(bytes);
      break;
    case 3:
      number = bytes[0] | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16;
      break;
    default:
      number = *reinterpret_cast<const std::uint32_t*>(bytes);
      break;
  }
  return block.least + number;
}

}  // namespace gannet::query::cuda
