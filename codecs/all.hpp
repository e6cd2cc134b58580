// The lists of codecs. One line here registers a codec everywhere: the registries, the decode and
// query kernels, the typed tests and the benchmarks follow from these lists.
#pragma once

#include <tuple>

#include "codecs/cascaded/cascaded.hpp"
#include "codecs/columns/gpu_for.hpp"
#include "codecs/columns/gpu_simdbp128.hpp"
#include "codecs/columns/nsf.hpp"
#include "codecs/columns/nsv.hpp"
#include "codecs/columns/plain.hpp"
#include "codecs/columns/rle.hpp"
#include "codecs/deflate/deflate.hpp"
#include "codecs/gpu_rfor/gpu_rfor.hpp"
#include "codecs/lists/gpu_bp.hpp"
#include "codecs/lists/gpu_dfor.hpp"
#include "codecs/lists/gpu_vbyte.hpp"
#include "codecs/lists/none.hpp"
#include "codecs/orc/rle_v1.hpp"
#include "codecs/orc/rle_v2.hpp"
#include "codecs/wah/wah_column.hpp"

namespace gannet::codecs {

/// Codecs of 32-bit values that are decoded tile by tile (codec.hpp): for posting lists and
/// columns.
using AllCodecs = std::tuple<  //
    GpuBp<128>,                //
    GpuBp<256>,                //
    GpuVbyte<128>,             //
    GpuVbyte<1024>,            //
    GpuDfor,                   //
    None,                      //
    Nsf,                       //
    Nsv,                       //
    GpuFor,                    //
    GpuRfor,                   //
    GpuSimdBp128>;

/// Codecs of columns of any integer type that are decoded chunk by chunk (chunk_codec.hpp).
using ChunkCodecs = std::tuple<  //
    Cascaded,                    //
    Deflate,                     //
    Plain,                       //
    Rle,                         //
    RleV1,                       //
    RleV2,                       //
    Wah32,                       //
    Wah64>;

/// Whether no two codecs of a list have the same id.
template <class... Codec>
constexpr bool distinct_ids(std::tuple<Codec...>*) {
  constexpr std::size_t kSize = sizeof...(Codec);
  const CodecId ids[kSize + 1] = {Codec::id...};
  for (std::size_t i = 0; i < kSize; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (ids[i] == ids[j]) return false;
    }
  }
  return true;
}

template <class... Tuple>
using JoinedTuples = decltype(std::tuple_cat(std::declval<Tuple>()...));
static_assert(distinct_ids(static_cast<JoinedTuples<AllCodecs, ChunkCodecs>*>(nullptr)));

}  // namespace gannet::codecs
