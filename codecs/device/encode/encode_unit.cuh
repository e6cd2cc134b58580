// What a warp encodes: four tiles, held in registers. device_encoding.hpp says what is done with
// them. All functions are called by a whole warp.
#pragma once

#include <cstdint>

#include "codecs/core/lanes.hpp"
#include "codecs/core/tile.hpp"
#include "codecs/device/encode/device_encoding.hpp"
#include "codecs/docids.hpp"

namespace gannet::codecs::cuda {

/// The list that is encoded.
struct Source {
  const std::uint32_t* values;
  std::uint32_t count;
};

/// Place of a lane's value i of quad t in its unit.
__device__ __forceinline__ std::uint32_t place_in_unit(std::uint32_t t, std::uint32_t i) {
  return t * kTile + 4 * WarpLanes::id() + i;
}

/// Unit `number`, with the value before it if it is asked for.
__device__ __forceinline__ Unit load_unit(Source source, std::uint32_t number, bool with_before) {
  Unit unit;
  unit.count = source.count;
  unit.first = number * kUnit;
  unit.size = min(source.count - unit.first, kUnit);
  const std::uint32_t* values = source.values + unit.first;
  if (unit.size == kUnit) {
#pragma unroll
    for (std::uint32_t t = 0; t < kUnitTiles; ++t) {
      const uint4 four = __ldcs(reinterpret_cast<const uint4*>(values + place_in_unit(t, 0)));
      unit.quad[t] = {four.x, four.y, four.z, four.w};
    }
  } else {
#pragma unroll
    for (std::uint32_t t = 0; t < kUnitTiles; ++t) {
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t place = place_in_unit(t, i);
        unit.quad[t].value[i] = place < unit.size ? values[place] : 0;
      }
    }
  }
  unit.before = with_before && number > 0 ? values[-1] : kBeforeFirst;
  return unit;
}

/// The value before a lane's quad t.
__device__ __forceinline__ std::uint32_t before_quad(const Unit& unit, std::uint32_t t) {
  const std::uint32_t below = __shfl_up_sync(WarpLanes::kAll, unit.quad[t].value[3], 1);
  const std::uint32_t last =
      t > 0 ? __shfl_sync(WarpLanes::kAll, unit.quad[t > 0 ? t - 1 : 0].value[3], kLanes - 1)
            : unit.before;
  return WarpLanes::id() > 0 ? below : last;
}

/// Replaces every value by its distance to the one before it, less `step`; places beyond the size
/// get 0.
__device__ __forceinline__ void to_differences(Unit& unit, std::uint32_t step) {
#pragma unroll
  for (std::uint32_t t = kUnitTiles; t-- > 0;) {
    const std::uint32_t before = before_quad(unit, t);
    Quad& quad = unit.quad[t];
#pragma unroll
    for (std::uint32_t i = 4; i-- > 0;) {
      const std::uint32_t difference =
          quad.value[i] - (i > 0 ? quad.value[i > 0 ? i - 1 : 0] : before) - step;
      quad.value[i] = place_in_unit(t, i) < unit.size ? difference : 0;
    }
  }
}

/// Number of bits that the widest of the values that were or-ed together needs.
__device__ __forceinline__ std::uint32_t device_bit_width(std::uint32_t any) {
  return 32 - static_cast<std::uint32_t>(__clz(static_cast<int>(any)));
}

__device__ __forceinline__ std::uint32_t any_of(const Quad& quad) {
  return quad.value[0] | quad.value[1] | quad.value[2] | quad.value[3];
}

}  // namespace gannet::codecs::cuda
