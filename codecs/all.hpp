// The list of codecs. One line here registers a codec everywhere: the registry, the decode and
// query kernels, the typed tests and the benchmarks follow from this list.
#pragma once

#include <tuple>

#include "gannet/codecs/gpu_bp.hpp"
#include "gannet/codecs/gpu_dfor.hpp"
#include "gannet/codecs/gpu_vbyte.hpp"
#include "gannet/codecs/none.hpp"

namespace gannet::codecs {

using AllCodecs = std::tuple<  //
    GpuBp<128>,                //
    GpuBp<256>,                //
    GpuVbyte<128>,             //
    GpuVbyte<1024>,            //
    GpuDfor,                   //
    None>;

}  // namespace gannet::codecs
