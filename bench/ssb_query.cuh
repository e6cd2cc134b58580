// Query flight 1 as one kernel over compressed columns: filter and sum, nothing written but a sum a
// thread block. The codec of each column is a template argument.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "gannet/bench/ssb_flight1.hpp"
#include "gannet/codecs/codec.hpp"
#include "gannet/codecs/cuda/check.hpp"
#include "gannet/codecs/cuda/stage.cuh"

namespace gannet::bench {

using codecs::kGroupTiles;
using codecs::kLanes;
using codecs::kTile;
using codecs::ListView;
using codecs::Payload;
using codecs::Quad;
using codecs::WarpLanes;

/// The flight's columns in device memory, each padded by 4 words, all of the same length.
struct Flight1Lists {
  ListView date;
  ListView quantity;
  ListView discount;
  ListView price;
};

/// The rows of a group of tiles that a warp still wants: bit 4 t + i of a lane is its value i of
/// tile t.
struct Wanted {
  std::uint32_t bits;

  /// All rows of the group.
  __device__ static Wanted all(std::uint32_t rows) {
    Wanted wanted{0};
    for (std::uint32_t t = 0; t < kGroupTiles; ++t) {
      for (std::uint32_t i = 0; i < 4; ++i) {
        const bool there = t * kTile + 4 * WarpLanes::id() + i < rows;
        wanted.bits |= (there ? 1u : 0u) << (4 * t + i);
      }
    }
    return wanted;
  }

  __device__ bool has(std::uint32_t t, std::uint32_t i) const { return bits >> (4 * t + i) & 1; }

  __device__ void keep(std::uint32_t t, const Quad& quad, Range range) {
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (!range.has(quad.value[i])) bits &= ~(1u << (4 * t + i));
    }
  }

  /// Bit 4 t is set if any lane wants a row of tile t.
  __device__ std::uint32_t tiles() const {
    std::uint32_t any = bits | bits >> 1;
    any |= any >> 2;
    return WarpLanes{}.any_bits({any & 0x11111111u});
  }
};

/// How the tiles of a group are read.
enum class Skip { kNothing, kTiles };

/// Shared memory in which a warp stages a column's group.
template <class... Codec>
constexpr std::uint32_t kStageUnits =
    std::max({codecs::cuda::staged_words(kGroupTiles * Codec::tile_words) / 4 ...});

/// Calls f(t, quad) for tiles of the group: for all, or for those that are wanted. Where few are,
/// only these are read.
template <class Codec, Skip skip, class F>
__device__ __forceinline__ void load_group(ListView column, std::uint32_t first, std::uint32_t last,
                                           Wanted wanted, uint4* memory, F f) {
  const std::uint32_t live = skip == Skip::kTiles ? wanted.tiles() : 0x11111111u;
  if (live == 0) return;
  WarpLanes::Var<Quad> quad;
  if (skip == Skip::kTiles && 2 * codecs::popcount(live) <= kGroupTiles) {
    for (std::uint32_t t = 0; first + t < last; ++t) {
      if ((live >> (4 * t) & 1) == 0) continue;
      auto cursor = Codec::seek(WarpLanes{}, column, first + t);
      Codec::next(WarpLanes{}, column, Payload{column.words, 0}, first + t, cursor, quad);
      f(t, quad.value);
    }
    return;
  }
  const Payload payload =
      codecs::cuda::stage(column.words, Codec::extent(column, first, last), memory);
  auto cursor = Codec::seek(WarpLanes{}, column, first);
  for (std::uint32_t t = 0; first + t < last; ++t) {
    Codec::next(WarpLanes{}, column, payload, first + t, cursor, quad);
    f(t, quad.value);
  }
}

inline constexpr std::uint32_t kQueryWarps = 4;

/// The low bytes of four values.
__device__ __forceinline__ std::uint32_t packed_bytes(const Quad& quad) {
  std::uint32_t bytes = 0;
  for (std::uint32_t i = 0; i < 4; ++i) bytes |= (quad.value[i] & 0xff) << (8 * i);
  return bytes;
}

/// The sum of all threads' `sum`, in thread 0.
template <std::uint32_t kWarps>
__device__ __forceinline__ std::uint64_t block_sum(std::uint64_t sum) {
  __shared__ std::uint64_t sums[kWarps];
  for (int step = 1; step < static_cast<int>(kLanes); step *= 2) {
    sum += __shfl_xor_sync(WarpLanes::kAll, sum, step);
  }
  __syncthreads();
  if (WarpLanes::id() == 0) sums[threadIdx.x / kLanes] = sum;
  __syncthreads();
  std::uint64_t total = 0;
  for (const std::uint64_t each : sums) total += each;
  return total;
}

/// A warp a group of tiles, as many groups as it takes. sums[block] = the block's part of the
/// answer.
template <class Date, class Quantity, class Discount, class Price, Skip skip>
__global__ void __launch_bounds__(kQueryWarps* kLanes)
    flight1_kernel(Flight1Lists columns, Flight1Ranges query, std::uint64_t* sums) {
  __shared__ uint4 memory[kQueryWarps][kStageUnits<Date, Quantity, Discount, Price>];
  __shared__ std::uint32_t discounts[kQueryWarps][kGroupTiles][kLanes];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t count = columns.date.count;
  const std::uint32_t tiles = codecs::tile_count(count);
  std::uint64_t sum = 0;
  for (std::uint32_t first = (blockIdx.x * kQueryWarps + warp) * kGroupTiles; first < tiles;
       first += gridDim.x * kQueryWarps * kGroupTiles) {
    const std::uint32_t last = min(first + kGroupTiles, tiles);
    std::uint32_t(*kept)[kLanes] = discounts[warp];
    Wanted wanted = Wanted::all(count - first * kTile);
    const auto load = [&]<class Codec>(ListView column, auto f) {
      load_group<Codec, skip>(column, first, last, wanted, memory[warp], f);
    };
    load.template operator()<Date>(
        columns.date, [&](std::uint32_t t, const Quad& quad) { wanted.keep(t, quad, query.date); });
    load.template operator()<Quantity>(columns.quantity, [&](std::uint32_t t, const Quad& quad) {
      wanted.keep(t, quad, query.quantity);
    });
    load.template operator()<Discount>(columns.discount, [&](std::uint32_t t, const Quad& quad) {
      wanted.keep(t, quad, query.discount);
      kept[t][WarpLanes::id()] = packed_bytes(quad);
    });
    load.template operator()<Price>(columns.price, [&](std::uint32_t t, const Quad& quad) {
      for (std::uint32_t i = 0; i < 4; ++i) {
        const std::uint32_t discount = kept[t][WarpLanes::id()] >> (8 * i) & 0xff;
        if (wanted.has(t, i)) sum += std::uint64_t{quad.value[i]} * discount;
      }
    });
  }
  const std::uint64_t total = block_sum<kQueryWarps>(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

inline constexpr std::uint32_t kSumWarps = 32;

/// One block: *answer = the sum of sums[0 .. size).
static __global__ void __launch_bounds__(kSumWarps* kLanes)
    sum_kernel(const std::uint64_t* sums, std::uint32_t size, std::uint64_t* answer) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = threadIdx.x; i < size; i += kSumWarps * kLanes) sum += sums[i];
  const std::uint64_t total = block_sum<kSumWarps>(sum);
  if (threadIdx.x == 0) *answer = total;
}

/// Most thread blocks of a query, and so the sums that it needs room for.
inline constexpr std::uint32_t kMostQueryBlocks = 1 << 14;

/// The flight over columns of these codecs. Swapping one for another is all that a query knows of
/// compression.
template <class Date, class Quantity, class Discount, class Price>
struct Flight1Query {
  /// Puts the answer at `*answer` (device memory), on `stream`.
  static void launch(const Flight1Lists& columns, const Flight1Ranges& query, Skip skip,
                     std::uint64_t* sums, std::uint64_t* answer, cudaStream_t stream) {
    if (skip == Skip::kTiles) {
      launch_as<Skip::kTiles>(columns, query, sums, answer, stream);
    } else {
      launch_as<Skip::kNothing>(columns, query, sums, answer, stream);
    }
  }

 private:
  template <Skip skip>
  static void launch_as(const Flight1Lists& columns, const Flight1Ranges& query,
                        std::uint64_t* sums, std::uint64_t* answer, cudaStream_t stream) {
    const auto kernel = flight1_kernel<Date, Quantity, Discount, Price, skip>;
    static const std::uint32_t kBlocks = [&] {
      int resident = 0;
      codecs::cuda::check(
          cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, kQueryWarps * kLanes, 0),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
      const int processors = codecs::cuda::device_attribute(cudaDevAttrMultiProcessorCount);
      return std::min(static_cast<std::uint32_t>(resident * processors), kMostQueryBlocks);
    }();
    kernel<<<kBlocks, kQueryWarps * kLanes, 0, stream>>>(columns, query, sums);
    codecs::cuda::check_launch("flight1_kernel");
    sum_kernel<<<1, kSumWarps * kLanes, 0, stream>>>(sums, kBlocks, answer);
    codecs::cuda::check_launch("sum_kernel");
  }
};

}  // namespace gannet::bench
