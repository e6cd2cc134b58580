// The list of chunk codecs. One line here registers a codec wherever columns are decoded. Search
// kernels do not include this file: they decode posting lists, which only tile codecs encode.
#pragma once

#include <tuple>

#include "codecs/cascaded/cascaded.hpp"
#include "codecs/columns/raw_chunks.hpp"
#include "codecs/columns/rle.hpp"
#include "codecs/core/concepts.hpp"
#include "codecs/core/distinct.hpp"
#include "codecs/deflate/deflate.hpp"
#include "codecs/orc/rle_v1.hpp"
#include "codecs/orc/rle_v2.hpp"
#include "codecs/wah/wah_column.hpp"

namespace gannet::codecs {

/// Codecs for columns of integers, decoded chunk by chunk (core/concepts.hpp). Each codec declares
/// the types that it takes.
using ChunkCodecs = std::tuple<  //
    Cascaded,                    //
    Deflate,                     //
    RawChunks,                   //
    Rle,                         //
    RleV1,                       //
    RleV2,                       //
    Wah32,                       //
    Wah64>;

template <class... Codec>
consteval bool are_chunk_codecs(std::tuple<Codec...>*) {
  return (is_chunk_codec<Codec>() && ...);
}

static_assert(are_distinct(static_cast<ChunkCodecs*>(nullptr)));
static_assert(are_chunk_codecs(static_cast<ChunkCodecs*>(nullptr)));

}  // namespace gannet::codecs
