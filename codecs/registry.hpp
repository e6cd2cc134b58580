// Codecs at run time: by id or name, with host-side encoding, validation and decoding.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codecs/core/ids.hpp"
#include "codecs/core/tile.hpp"

namespace gannet::codecs {

/// One registered codec. All functions are thread-safe.
struct ListCodec {
  CodecId id;
  std::string_view name;
  std::uint32_t block;  ///< values coded together
  bool gaps;            ///< docids are coded as gaps

  /// Appends `values` (any length up to kMaxListLength, any values), encoded, to `words`.
  void (*encode)(std::span<const std::uint32_t> values, std::vector<std::uint32_t>& words);

  /// Appends strictly ascending `docids`, encoded (as gaps where the codec wants them).
  void (*encode_docids)(std::span<const std::uint32_t> docids, std::vector<std::uint32_t>& words);

  /// Throws FormatError unless `words` is exactly an encoded list of `count` values.
  void (*validate)(std::span<const std::uint32_t> words, std::uint32_t count);

  /// Decodes all `list.count` values to `out`.
  void (*decode)(ListView list, std::uint32_t* out);

  /// Decodes a list of docids to `out`.
  void (*decode_docids)(ListView list, std::uint32_t* out);

  /// Decodes one tile to `out[0 .. 127]`; entries beyond the list's end are unspecified.
  void (*decode_tile)(ListView list, std::uint32_t tile, std::uint32_t* out);

  /// Decodes one tile of docids. `previous`: the last docid of the tile before, or kBeforeFirst.
  void (*decode_docid_tile)(ListView list, std::uint32_t tile, std::uint32_t previous,
                            std::uint32_t* out);

  /// The value at a position of the list, which costs less than decoding its tile; null for codecs
  /// that cannot do it.
  std::uint32_t (*value)(ListView list, std::uint32_t position);
};

/// All codecs, in the order of tile_codecs.hpp.
std::span<const ListCodec> all_list_codecs();

/// The codec with this name. Throws UsageError that lists the known names.
const ListCodec& list_codec_named(std::string_view name);

/// The codec with this id. Throws FormatError if no codec has it.
const ListCodec& list_codec_with(CodecId id);

/// "gpu-bp128, gpu-bp256, ...", for help texts.
std::string list_codec_names();

}  // namespace gannet::codecs
