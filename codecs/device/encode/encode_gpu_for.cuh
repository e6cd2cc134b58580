// gpu-for on the device: device_encoding.hpp says what an encoding is, gpu_for.hpp the format.
#pragma once

#include <cstdint>

#include "codecs/columns/gpu_for.hpp"
#include "codecs/device/encode/encode_minis.cuh"

namespace gannet::codecs::cuda {

struct GpuForEncoding : MiniblockEncoding<GpuFor, 0> {
  static constexpr EncodePolicy policy = kEncodeForPolicy;

  /// Replaces the values by what the miniblocks hold: value - reference, 0 for missing ones.
  __device__ __forceinline__ static Plan plan(Unit& unit, std::uint32_t*) {
    const std::uint32_t first = __shfl_sync(WarpLanes::kAll, unit.quad[0].value[0], 0);
    return plan_blocks(unit, first, [&](std::uint32_t t) {
      Quad& quad = unit.quad[t];
      const std::uint32_t reference = least_signed(unit, t);
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) {
        quad.value[i] = place_in_unit(t, i) < unit.size ? quad.value[i] - reference : 0;
      }
      return reference;
    });
  }
};

}  // namespace gannet::codecs::cuda
