// Chunks of a column: how many, how large. What a chunk codec provides: concepts.hpp.
#pragma once

#include "codecs/core/codec.hpp"
#include "codecs/core/parameters.hpp"
#include "codecs/core/value_type.hpp"

namespace gannet::codecs {

/// Number of chunks of a column.
GANNET_HD std::uint32_t chunk_count(std::uint32_t count, std::uint32_t chunk_values) {
  return ceil_div(count, chunk_values);
}

/// Number of values in chunk `chunk`.
GANNET_HD std::uint32_t chunk_size(std::uint32_t count, std::uint32_t chunk_values,
                                   std::uint32_t chunk) {
  const std::uint32_t left = count - chunk * chunk_values;
  return left < chunk_values ? left : chunk_values;
}

}  // namespace gannet::codecs
