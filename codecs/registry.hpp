// Tile codecs at run time, as codecs of posting lists: lookup by id or name; encoding, validation
// and decoding on the host.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/core/ids.hpp"
#include "codecs/core/tile.hpp"

namespace gannet::codecs {

/// One tile codec for lists. All functions are thread-safe. The decoding functions take lists that
/// validate() has accepted, with the number of values that was given to validate(). They check
/// neither the list nor their other arguments. A list of docids is one that encode_docids() wrote.
struct ListCodec {
  CodecId id;
  std::string_view name;
  std::uint32_t block;  ///< values encoded together: a multiple of 128
  bool gaps;            ///< docids are encoded as gaps

  /// Appends the encoded list to `words`. `values` are any numbers, at most kMaxListLength of them.
  /// Throws UsageError if there are more, CancelledError soon after the token of the thread's
  /// StopScope requests a stop. After an exception, `words` may end with a part of the list.
  void (*encode)(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words);

  /// Appends an encoded list of docids to `words`; a codec with `gaps` encodes gaps_of(docids).
  /// `docids` must ascend strictly; the function does not check the order. Throws like encode().
  void (*encode_docids)(std::span<const std::uint32_t> docids, std::vector<std::uint32_t>& words);

  /// Throws FormatError unless decoding `count` values reads inside of `words` only and no word is
  /// left over. The values themselves are not checked. Time is linear in the size of the list.
  /// Throws CancelledError soon after the token of the thread's StopScope requests a stop.
  void (*validate)(std::span<const std::uint32_t> words, std::uint32_t count);

  /// Decodes all values to out[0 .. list.count).
  void (*decode)(ListView list, std::uint32_t* out);

  /// Decodes a list of docids to out[0 .. list.count).
  void (*decode_docids)(ListView list, std::uint32_t* out);

  /// Decodes tile number `tile` (< tile_count(list.count)) to out[0 .. 128). Elements beyond the
  /// end of the list are unspecified.
  void (*decode_tile)(ListView list, std::uint32_t tile, std::uint32_t* out);

  /// Decodes tile number `tile` of a list of docids, like decode_tile(). `previous` is the last
  /// docid before the tile, or kBeforeFirst for tile 0.
  void (*decode_docid_tile)(ListView list, std::uint32_t tile, std::uint32_t previous,
                            std::uint32_t* out);

  /// The value at `position` (< list.count) as encode() was given it; in a list of docids of a
  /// codec with `gaps`, the gap at `position`. Costs less than decoding a tile. Null for codecs
  /// without traits.single_values.
  std::uint32_t (*value)(ListView list, std::uint32_t position);
};

/// All tile codecs, in the order of tile_codecs.hpp.
std::span<const ListCodec> all_list_codecs();

/// The tile codec with this name. If there is none, throws UsageError, which lists the names.
const ListCodec& list_codec_named(std::string_view name);

/// The tile codec with this id. Throws FormatError if there is none.
const ListCodec& list_codec_with(CodecId id);

/// The names of all tile codecs for help texts: "gpu-bp128, gpu-bp256, ...".
std::string list_codec_names();

}  // namespace gannet::codecs
