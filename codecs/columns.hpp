// Columns at run time: every codec of the lists under one interface, for values of any type.
//
// Tile codecs code 32-bit values; columns of smaller types are widened for them (with their sign)
// and narrowed again. Values are raw little-endian arrays, as bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/core/chunk_codec.hpp"
#include "codecs/core/value_type.hpp"

namespace gannet::codecs {

/// One codec, for columns. All functions are thread-safe.
struct Codec {
  CodecId id;
  std::string_view name;
  bool tiles;  ///< any tile of 128 values is decoded by itself
  bool gaps;   ///< a tile codec for gaps: takes part in columns with the values as they are

  /// Whether it codes values of `type`.
  bool (*takes)(ValueType type);

  /// Appends the encoded column to `words`. `values` is an array of `type`; at most kMaxListLength
  /// values, aligned to the type. Throws UsageError for parameters that make no sense and for
  /// arrays that are not of the type.
  void (*encode)(ValueType type, std::span<const std::byte> values, const Parameters& parameters,
                 std::vector<std::uint32_t>& words);

  /// Throws FormatError unless `words` is exactly an encoded column of `count` values.
  void (*validate)(ValueType type, std::span<const std::uint32_t> words, std::uint32_t count);

  /// Decodes values [first, first + count) of a validated column of `total` values to `out`
  /// (aligned to the type: UsageError otherwise). Decodes as few tiles or chunks as its format
  /// allows.
  void (*decode)(ValueType type, std::span<const std::uint32_t> words, std::uint32_t total,
                 std::uint32_t first, std::uint32_t count, std::byte* out);

  /// Values of a validated column that decode() decodes together: a tile or a chunk.
  std::uint32_t (*unit)(ValueType type, std::span<const std::uint32_t> words, std::uint32_t total);
};

/// All codecs, in the order of tile_codecs.hpp, then of chunk_codecs.hpp. Two may share a
/// name if no type is taken by both.
std::span<const Codec> all_codecs();

/// The codec with this name that takes `type`. Throws UsageError that lists those which do.
const Codec& codec_named(std::string_view name, ValueType type);

/// The codec with this id. Throws FormatError if no codec has it.
const Codec& codec_with(CodecId id);

/// "gpu-bp128, gpu-bp256, ...", for help texts: every name once.
std::string codec_names();

/// The names of the codecs that take `type`.
std::string codec_names(ValueType type);

}  // namespace gannet::codecs
