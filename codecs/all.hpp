// The lists of codecs. One line here registers a codec everywhere: the registries, the decode and
// query kernels, the typed tests and the benchmarks follow from these lists.
#pragma once

#include <tuple>

#include "gannet/codecs/bp32.hpp"
#include "gannet/codecs/cascaded.hpp"
#include "gannet/codecs/deflate.hpp"
#include "gannet/codecs/gpu_bp.hpp"
#include "gannet/codecs/gpu_dfor.hpp"
#include "gannet/codecs/gpu_for.hpp"
#include "gannet/codecs/gpu_rfor.hpp"
#include "gannet/codecs/gpu_simdbp128.hpp"
#include "gannet/codecs/gpu_vbyte.hpp"
#include "gannet/codecs/none.hpp"
#include "gannet/codecs/nsf.hpp"
#include "gannet/codecs/nsv.hpp"
#include "gannet/codecs/orc_rle_v1.hpp"
#include "gannet/codecs/orc_rle_v2.hpp"
#include "gannet/codecs/plain.hpp"
#include "gannet/codecs/rle.hpp"
#include "gannet/codecs/simd_bp128.hpp"
#include "gannet/codecs/stream_vbyte.hpp"
#include "gannet/codecs/varint_gb.hpp"
#include "gannet/codecs/wah_column.hpp"

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

/// Codecs of 32-bit values that exist on the host alone, as what the papers compare with
/// (host_codec.hpp).
using HostCodecs = std::tuple<  //
    Bp32,                       //
    SimdBp128,                  //
    VarintGb,                   //
    StreamVbyte>;

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
static_assert(
    distinct_ids(static_cast<JoinedTuples<AllCodecs, ChunkCodecs, HostCodecs>*>(nullptr)));

}  // namespace gannet::codecs
