// The lists of codecs. One line here registers a codec everywhere: the registries, the decode and
// query kernels, the typed tests and the benchmarks follow from these lists.
#pragma once

#include <algorithm>
#include <iterator>
#include <tuple>

#include "codecs/cascaded/cascaded.hpp"
#include "codecs/columns/gpu_for.hpp"
#include "codecs/columns/nsf.hpp"
#include "codecs/columns/nsv.hpp"
#include "codecs/columns/raw_chunks.hpp"
#include "codecs/columns/rle.hpp"
#include "codecs/core/concepts.hpp"
#include "codecs/deflate/deflate.hpp"
#include "codecs/gpu_rfor/gpu_rfor.hpp"
#include "codecs/lists/elias_fano.hpp"
#include "codecs/lists/gpu_bp.hpp"
#include "codecs/lists/gpu_dfor.hpp"
#include "codecs/lists/gpu_vbyte.hpp"
#include "codecs/lists/raw_tiles.hpp"
#include "codecs/orc/rle_v1.hpp"
#include "codecs/orc/rle_v2.hpp"
#include "codecs/wah/wah_column.hpp"

namespace gannet::codecs {

/// Codecs of 32-bit values that are decoded tile by tile (core/concepts.hpp): for posting lists and
/// columns.
using TileCodecs = std::tuple<  //
    GpuBp<128>,                 //
    GpuBp<256>,                 //
    GpuVbyte<128>,              //
    GpuVbyte<1024>,             //
    GpuDfor,                    //
    EliasFano,                  //
    RawTiles,                   //
    Nsf,                        //
    Nsv,                        //
    GpuFor,                     //
    GpuRfor>;

/// Codecs of columns of any integer type that are decoded chunk by chunk (core/concepts.hpp).
using ChunkCodecs = std::tuple<  //
    Cascaded,                    //
    Deflate,                     //
    RawChunks,                   //
    Rle,                         //
    RleV1,                       //
    RleV2,                       //
    Wah32,                       //
    Wah64>;

/// Whether no codec is in a list twice.
template <class... Codec>
consteval bool are_distinct(std::tuple<Codec...>*) {
  constexpr CodecId ids[] = {Codec::id...};
  for (const CodecId& id : ids) {
    if (std::count(std::begin(ids), std::end(ids), id) != 1) return false;
  }
  return true;
}

template <class... Codec>
consteval bool are_tile_codecs(std::tuple<Codec...>*) {
  return (is_tile_codec<Codec>() && ...);
}

template <class... Codec>
consteval bool are_chunk_codecs(std::tuple<Codec...>*) {
  return (is_chunk_codec<Codec>() && ...);
}

static_assert(are_distinct(static_cast<TileCodecs*>(nullptr)));
static_assert(are_distinct(static_cast<ChunkCodecs*>(nullptr)));
static_assert(are_tile_codecs(static_cast<TileCodecs*>(nullptr)));
static_assert(are_chunk_codecs(static_cast<ChunkCodecs*>(nullptr)));

}  // namespace gannet::codecs
