// Number and size of the chunks of a column. ChunkCodec in concepts.hpp is the contract of chunk
// codecs. The functions are thread-safe.
#pragma once

#include "codecs/core/codec.hpp"
#include "codecs/core/parameters.hpp"
#include "codecs/core/value_type.hpp"

namespace gannet::codecs {

/// Number of chunks of a column of `count` values. `chunk_values` must not be 0.
GANNET_HD std::uint32_t chunk_count(std::uint32_t count, std::uint32_t chunk_values) {
  return ceil_div(count, chunk_values);
}

/// Number of values in chunk `chunk` (< chunk_count()): `chunk_values`, or fewer in the last chunk.
GANNET_HD std::uint32_t chunk_size(std::uint32_t count, std::uint32_t chunk_values,
                                   std::uint32_t chunk) {
  const std::uint32_t left = count - chunk * chunk_values;
  return left < chunk_values ? left : chunk_values;
}

}  // namespace gannet::codecs
