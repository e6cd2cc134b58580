// What the target `codecs` tries: whatever validate() accepts can be decoded in every way without
// leaving the column, and without end.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

#include "bench/fuzz/parts/codec_byte.hpp"
#include "codecs/columns.hpp"
#include "codecs/registry.hpp"

namespace gannet::fuzz {

/// The codec of a list as posting lists use it: docids, tile by tile.
inline void decode_as_list(const codecs::ListCodec& codec, codecs::ListView list) {
  const std::unique_ptr<std::uint32_t[]> out(new std::uint32_t[list.count]);
  codec.decode(list, out.get());
  codec.decode_docids(list, out.get());
  const std::unique_ptr<std::uint32_t[]> tile_out(new std::uint32_t[codecs::kTile]);
  for (std::uint32_t tile = 0; tile < codecs::tile_count(list.count); ++tile) {
    codec.decode_tile(list, tile, tile_out.get());
    codec.decode_docid_tile(list, tile, 0, tile_out.get());
  }
}

/// All values at once, and a range that begins and ends anywhere.
inline void decode_as_column(const codecs::Codec& codec, codecs::ValueType type,
                             std::span<const std::uint32_t> words, std::uint32_t count) {
  const std::size_t size = codecs::size_of(type);
  const std::unique_ptr<std::byte[]> all(new std::byte[count * size]);
  codec.decode(type, words, count, 0, count, all.get());
  const std::uint32_t first = count / 3;
  const std::uint32_t some = count / 2;
  const std::unique_ptr<std::byte[]> part(new std::byte[some * size]);
  codec.decode(type, words, count, first, some, part.get());
  if (!std::equal(part.get(), part.get() + some * size, all.get() + first * size)) {
    throw std::logic_error(std::string(codec.name) + ": a value depends on where decoding began");
  }
}

/// Input: a byte with the codec's id, one for the type, three for the number of values, then the
/// words. Inputs without a codec for the type are skipped.
inline void try_codecs(std::span<const std::uint8_t> input) {
  if (input.size() < 5) return;
  const codecs::Codec* const named = codec_with_id(input[0]);
  const codecs::ValueType type = codecs::kValueTypes[input[1] % codecs::kValueTypes.size()].first;
  const auto count = static_cast<std::uint32_t>(input[2] | input[3] << 8 | input[4] % 4 << 16);
  if (named == nullptr || !named->takes(type)) return;
  const codecs::Codec& codec = *named;
  // A copy of exact size on the heap, in which the sanitizer sees every read beyond the end.
  const std::size_t size = (input.size() - 5) / 4;
  const std::unique_ptr<std::uint32_t[]> copy(new std::uint32_t[size]);
  if (size > 0) std::memcpy(copy.get(), input.data() + 5, size * 4);
  const std::span<const std::uint32_t> words(copy.get(), size);
  try {
    codec.validate(type, words, count);
  } catch (const FormatError&) {
    return;
  }
  decode_as_column(codec, type, words, count);
  if (codec.tiles) decode_as_list(codecs::list_codec_with(codec.id), {copy.get(), count});
}

}  // namespace gannet::fuzz
