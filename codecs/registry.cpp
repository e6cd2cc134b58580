#include "codecs/registry.hpp"

#include <array>
#include <utility>

#include "codecs/all.hpp"
#include "codecs/core/host_tile.hpp"
#include "codecs/core/unpack.hpp"
#include "codecs/docids.hpp"

namespace gannet::codecs {
namespace {

/// Turns the gaps of a tile into docids; returns the last one.
std::uint32_t sum_gaps(std::uint32_t* values, std::uint32_t size, std::uint32_t previous) {
  if (size == kTile) return sum128(values, 1, previous);
  for (std::uint32_t i = 0; i < size; ++i) values[i] = previous += values[i] + 1;
  return previous;
}

/// The same as next_tile() for docids; `previous` is the docid before the tile, then its last one.
template <class C>
void next_docids(ListView list, std::uint32_t tile, typename C::Cursor& cursor,
                 std::uint32_t& previous, std::uint32_t* out) {
  next_tile_on_host<C>(list, tile, cursor, out);
  if constexpr (C::traits.gaps) previous = sum_gaps(out, tile_size(list.count, tile), previous);
}

template <class C>
void encode_docids(std::span<const std::uint32_t> docids, std::vector<std::uint32_t>& words) {
  if constexpr (C::traits.gaps) {
    C::encode(gaps_of(docids), words);
  } else {
    C::encode(docids, words);
  }
}

template <class C>
void decode(ListView list, std::uint32_t* out) {
  if (list.count == 0) return;
  auto cursor = C::seek(SerialLanes{}, list, 0);
  for (std::uint32_t tile = 0; tile < tile_count(list.count); ++tile, out += kTile) {
    next_tile_on_host<C>(list, tile, cursor, out);
  }
}

template <class C>
void decode_docids(ListView list, std::uint32_t* out) {
  if (list.count == 0) return;
  std::uint32_t previous = kBeforeFirst;
  auto cursor = C::seek(SerialLanes{}, list, 0, previous);
  for (std::uint32_t tile = 0; tile < tile_count(list.count); ++tile, out += kTile) {
    next_docids<C>(list, tile, cursor, previous, out);
  }
}

template <class C>
void decode_tile(ListView list, std::uint32_t tile, std::uint32_t* out) {
  auto cursor = C::seek(SerialLanes{}, list, tile);
  next_tile_on_host<C>(list, tile, cursor, out);
}

template <class C>
void decode_docid_tile(ListView list, std::uint32_t tile, std::uint32_t previous,
                       std::uint32_t* out) {
  auto cursor = C::seek(SerialLanes{}, list, tile, previous);
  next_docids<C>(list, tile, cursor, previous, out);
}

template <class C>
constexpr ListCodec describe() {
  return {C::id,
          C::name,
          C::block,
          C::traits.gaps,
          C::encode,
          encode_docids<C>,
          C::validate,
          decode<C>,
          decode_docids<C>,
          decode_tile<C>,
          decode_docid_tile<C>};
}

template <class... C>
constexpr auto describe_all(std::tuple<C...>*) {
  return std::array<ListCodec, sizeof...(C)>{describe<C>()...};
}

constexpr auto kCodecs = describe_all(static_cast<TileCodecs*>(nullptr));

}  // namespace

std::span<const ListCodec> all_list_codecs() { return kCodecs; }

const ListCodec& list_codec_named(std::string_view name) {
  for (const ListCodec& codec : kCodecs) {
    if (codec.name == name) return codec;
  }
  throw UsageError("no codec is called '" + std::string(name) + "'; there are " +
                   list_codec_names());
}

const ListCodec& list_codec_with(CodecId id) {
  for (const ListCodec& codec : kCodecs) {
    if (codec.id == id) return codec;
  }
  throw FormatError("unknown codec id " + std::to_string(static_cast<std::uint32_t>(id)));
}

std::string list_codec_names() {
  std::string names;
  for (const ListCodec& codec : kCodecs) {
    if (!names.empty()) names += ", ";
    names += codec.name;
  }
  return names;
}

}  // namespace gannet::codecs
