// The codecs that the device encodes. One line here registers an encoder.
#pragma once

#include <tuple>

#include "codecs/device/encode/encode_gpu_bp.cuh"
#include "codecs/device/encode/encode_gpu_dfor.cuh"
#include "codecs/device/encode/encode_gpu_for.cuh"
#include "codecs/device/encode/encode_gpu_rfor.cuh"

namespace gannet::codecs::cuda {

using DeviceEncodings = std::tuple<  //
    GpuBpEncoding<128>,              //
    GpuBpEncoding<256>,              //
    GpuDforEncoding,                 //
    GpuForEncoding,                  //
    GpuRforEncoding>;

}  // namespace gannet::codecs::cuda
