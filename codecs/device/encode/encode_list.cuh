// The codecs that the device encodes. One line here registers an encoder; device_encoding.hpp
// says what it must provide.
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

template <class... Encoding>
consteval bool are_device_encodings(std::tuple<Encoding...>*) {
  return (is_device_encoding<Encoding>() && ...);
}
static_assert(are_device_encodings(static_cast<DeviceEncodings*>(nullptr)));

}  // namespace gannet::codecs::cuda
