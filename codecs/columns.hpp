// Codecs of columns at run time: every codec of tile_codecs.hpp and chunk_codecs.hpp behind one
// interface, for values of any type.
//
// Tile codecs encode 32-bit values. For 8-bit and 16-bit types, the encoder extends each value to
// 32 bits (signed types by their sign) and the decoder narrows the value again. Values are passed
// as arrays of bytes, little-endian.
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

/// One codec for columns. All functions are thread-safe. encode() and validate() throw UsageError
/// if the codec does not take `type`. Callers of decode() and unit() pass the type that the column
/// was encoded with.
struct Codec {
  CodecId id;
  std::string_view name;
  bool tiles;  ///< a tile codec: any tile of 128 values can be decoded alone
  bool gaps;   ///< a tile codec that stores gaps of docids in posting lists, values in columns

  /// Whether the codec encodes values of `type`.
  bool (*takes)(ValueType type);

  /// Appends the encoded column to `words`. `values` is an array of `type`, aligned to the type, of
  /// at most kMaxListLength values. Throws UsageError if `values` is longer, not aligned, or not a
  /// whole number of values, and if a parameter is unknown or out of range. Throws CancelledError
  /// soon after the token of the thread's StopScope requests a stop. After an exception, `words`
  /// may end with a part of the column.
  void (*encode)(ValueType type, std::span<const std::byte> values, const Parameters& parameters,
                 std::vector<std::uint32_t>& words);

  /// Throws FormatError unless decoding `count` values of `type` reads inside of `words` only and
  /// no word is left over. The values themselves are not checked. Time is linear in the size of the
  /// column. Throws CancelledError soon after the token of the thread's StopScope requests a stop.
  void (*validate)(ValueType type, std::span<const std::uint32_t> words, std::uint32_t count);

  /// Decodes values [first, first + count) of a column of `total` values to `out`, which has room
  /// for `count` values and is aligned to the type. validate() must have accepted the column, and
  /// first + count must not exceed `total`: decode() checks neither of these conditions. Decodes
  /// the tiles or chunks that hold the range. Some tile codecs also go through the tiles before the
  /// range in its first block or chain (gpu-dfor decodes up to three). Throws UsageError if `out`
  /// is not aligned.
  void (*decode)(ValueType type, std::span<const std::uint32_t> words, std::uint32_t total,
                 std::uint32_t first, std::uint32_t count, std::byte* out);

  /// Number of values of a validated column that are decoded together: 128 for tile codecs, else
  /// the values of a chunk (1 for an empty column).
  std::uint32_t (*unit)(ValueType type, std::span<const std::uint32_t> words, std::uint32_t total);
};

/// All codecs, in the order of tile_codecs.hpp, then of chunk_codecs.hpp. A tile codec and a chunk
/// codec may share a name if no type is taken by both codecs ("none").
std::span<const Codec> all_codecs();

/// The codec with this name that takes `type`. If there is none, throws UsageError, which lists the
/// codecs that take `type`.
const Codec& codec_named(std::string_view name, ValueType type);

/// The codec with this id. Throws FormatError if there is none.
const Codec& codec_with(CodecId id);

/// The names of all codecs for help texts: "gpu-bp128, gpu-bp256, ...". Every name occurs once.
std::string codec_names();

/// The names of the codecs that take `type`, separated by ", ".
std::string codec_names(ValueType type);

}  // namespace gannet::codecs
