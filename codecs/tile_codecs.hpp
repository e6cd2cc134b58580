// The list of tile codecs. One line here registers a codec everywhere: the registries, the decode
// and query kernels, the typed tests and the benchmarks follow from this list and chunk_codecs.hpp.
#pragma once

#include <tuple>

#include "codecs/columns/gpu_for.hpp"
#include "codecs/columns/nsf.hpp"
#include "codecs/columns/nsv.hpp"
#include "codecs/core/concepts.hpp"
#include "codecs/core/distinct.hpp"
#include "codecs/gpu_rfor/gpu_rfor.hpp"
#include "codecs/lists/elias_fano.hpp"
#include "codecs/lists/gpu_bp.hpp"
#include "codecs/lists/gpu_dfor.hpp"
#include "codecs/lists/gpu_vbyte.hpp"
#include "codecs/lists/raw_tiles.hpp"

namespace gannet::codecs {

/// Codecs of 32-bit values, decoded tile by tile (core/concepts.hpp): for posting lists and
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

template <class... Codec>
consteval bool are_tile_codecs(std::tuple<Codec...>*) {
  return (is_tile_codec<Codec>() && ...);
}

static_assert(are_distinct(static_cast<TileCodecs*>(nullptr)));
static_assert(are_tile_codecs(static_cast<TileCodecs*>(nullptr)));

}  // namespace gannet::codecs
