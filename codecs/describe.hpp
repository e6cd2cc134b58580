// Makes the run-time description (ListCodec) of a tile codec that is known at compile time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "codecs/core/concepts.hpp"
#include "codecs/core/host_tile.hpp"
#include "codecs/core/unpack.hpp"
#include "codecs/docids.hpp"
#include "codecs/registry.hpp"

namespace gannet::codecs {

namespace detail {

/// Replaces the `size` gaps of a tile by docids and returns the last docid. `previous` is the last
/// docid before the tile, or kBeforeFirst.
inline std::uint32_t sum_gaps(std::uint32_t* values, std::uint32_t size, std::uint32_t previous) {
  if (size == kTile) return sum128(values, 1, previous);
  for (std::uint32_t i = 0; i < size; ++i) values[i] = previous += values[i] + 1;
  return previous;
}

/// next_tile() for docids. `previous` is the last docid before the tile on entry, and the last
/// docid of the tile on return.
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
constexpr auto value_of() {
  std::uint32_t (*value)(ListView, std::uint32_t) = nullptr;
  if constexpr (C::traits.single_values) value = C::value;
  return value;
}

}  // namespace detail

/// The run-time description of tile codec C. C need not be in tile_codecs.hpp: a program can
/// describe a codec of its own.
template <TileCodec C>
constexpr ListCodec describe_list_codec() {
  return {C::id,
          C::name,
          C::block,
          C::traits.gaps,
          C::encode,
          detail::encode_docids<C>,
          C::validate,
          detail::decode<C>,
          detail::decode_docids<C>,
          detail::decode_tile<C>,
          detail::decode_docid_tile<C>,
          detail::value_of<C>()};
}

}  // namespace gannet::codecs
