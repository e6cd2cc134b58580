// gpu-dfor on the device: device_encoding.hpp says what an encoding is, gpu_dfor.hpp the format. A
// unit is a chain.
#pragma once

#include <cstdint>

#include "codecs/device/encode/encode_minis.cuh"
#include "codecs/lists/gpu_dfor.hpp"

namespace gannet::codecs::cuda {

struct GpuDforEncoding : MiniblockEncoding<GpuDfor, 1> {
  static_assert(Codec::chain == kUnitTiles);
  static constexpr EncodePolicy policy = kEncodeDforPolicy;

  /// Replaces the values by what the miniblocks hold: delta - reference.
  __device__ __forceinline__ static Plan plan(Unit& unit, std::uint32_t*) {
    const std::uint32_t first = __shfl_sync(WarpLanes::kAll, unit.quad[0].value[0], 0);
    unit.before = first;
    to_differences(unit, 0);
    return plan_blocks(unit, first, [&](std::uint32_t t) {
      Quad& quad = unit.quad[t];
      const int least = min(min(static_cast<int>(quad.value[0]), static_cast<int>(quad.value[1])),
                            min(static_cast<int>(quad.value[2]), static_cast<int>(quad.value[3])));
      const auto reference = static_cast<std::uint32_t>(WarpLanes::least_signed(least));
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) quad.value[i] -= reference;
      return reference;
    });
  }
};

}  // namespace gannet::codecs::cuda
