// What a warp encodes: four tiles, held in registers.
//
// An encoding (encode_gpu_*.cuh) is a struct that says how units become words:
//
//   struct MyEncoding {
//     using Codec = MyCodec;
//     static constexpr std::uint32_t kWarps;        units that a thread block encodes
//     static constexpr std::uint32_t kResidentBlocks;   thread blocks that a multiprocessor can
//     run,
//                                                   as far as registers go
//     static constexpr std::uint32_t kScratchWords; shared memory of a warp (a multiple of 4)
//     static std::uint64_t max_words(std::uint64_t count);
//     static std::uint64_t aside_words(std::uint64_t count);
//                                                   room for the second stream, if there is one: it
//                                                   begins where the first one ends, which is known
//                                                   last, so it is written aside and moved
//     struct Plan;                                  what encoding needs to know of a unit
//     __device__ static Plan plan(Unit&, std::uint32_t* scratch);
//                                                   may replace the values by what is packed
//     __device__ static Sizes sizes(const Plan&);   words that the unit adds to each stream
//     __device__ static void pack(const Unit&, const Plan&, std::uint32_t* scratch);
//                                                   puts them together in the scratch memory
//     __device__ static void store(const Unit&, const Plan&, Place, const std::uint32_t* scratch);
//                                                   writes them, and what else belongs to the unit
//     __device__ static Sizes finish(const Unit& last, Sizes total, Streams);
//                                                   writes what belongs to the whole list; returns
//                                                   the lengths of the streams
//   };
//
// All device functions are called by a whole warp.
#pragma once

#include <cstdint>

#include "codecs/core/lanes.hpp"
#include "codecs/core/tile.hpp"
#include "codecs/docids.hpp"

namespace gannet::codecs::cuda {

inline constexpr std::uint32_t kUnitTiles = 4;
inline constexpr std::uint32_t kUnit = kUnitTiles * kTile;

/// The list that is encoded.
struct Source {
  const std::uint32_t* values;
  std::uint32_t count;
};

/// Values [first, first + size) of the list: lane l's quad t are the values first + 128 t + 4 l ..
/// + 3. Places beyond the size hold 0.
struct Unit {
  Quad quad[kUnitTiles];
  std::uint32_t count;   ///< of the whole list
  std::uint32_t first;   ///< a multiple of 512
  std::uint32_t size;    ///< 1 .. 512, or 0 in an empty list
  std::uint32_t before;  ///< the value before the unit, or kBeforeFirst

  __device__ std::uint32_t tiles() const { return tile_count(size); }
  __device__ std::uint32_t first_tile() const { return first / kTile; }
};

/// Words that a unit, or all units before it, take in the list's streams (below 2^31 each).
struct Sizes {
  std::uint32_t stream[2];
};

/// Where the streams begin.
struct Streams {
  std::uint32_t* words;  ///< the list
  std::uint32_t* aside;  ///< the second stream, for the time being
};

/// Where a unit's words go.
struct Place {
  Streams streams;
  Sizes before;  ///< words of all units before this one
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
