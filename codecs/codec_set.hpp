// Subsets of the list of tile codecs, made at compile time, and the lookup of a codec's type by its
// id. Everything here is stateless and thread-safe.
#pragma once

#include <tuple>

#include "codecs/tile_codecs.hpp"

namespace gannet::codecs {

template <class... Codec>
auto posting_codecs(std::tuple<Codec...>*) -> decltype(std::tuple_cat(
    std::conditional_t<Codec::traits.posting, std::tuple<Codec>, std::tuple<>>()...));

/// The codecs of TileCodecs that declare traits.posting: those made for posting lists.
using PostingCodecs = decltype(posting_codecs(static_cast<TileCodecs*>(nullptr)));

/// Whether a codec of the list has this id.
template <class... Codec>
constexpr bool has_codec(CodecId id, std::tuple<Codec...>*) {
  return ((Codec::id == id) || ...);
}

template <class Codecs>
constexpr bool has_codec(CodecId id) {
  return has_codec(id, static_cast<Codecs*>(nullptr));
}

template <class F, class... Codec>
GANNET_HD void with_codec(CodecId id, F f, std::tuple<Codec...>*) {
  ((Codec::id == id ? f.template operator()<Codec>() : void()), ...);
}

/// Calls `f.template operator()<Codec>()` for the codec of the list `Codecs` that has this id. Does
/// nothing if no codec has this id. Cost: one comparison for each codec of the list.
template <class Codecs, class F>
GANNET_HD void with_codec(CodecId id, F f) {
  with_codec(id, f, static_cast<Codecs*>(nullptr));
}

}  // namespace gannet::codecs
