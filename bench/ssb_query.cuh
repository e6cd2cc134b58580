// Query flight 1 as one kernel over compressed columns: filter and sum, nothing written but a sum a
// thread block. The codec of each column is a template argument.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>

#include "gannet/bench/ssb_flight1.hpp"
#include "gannet/bench/ssb_tiles.cuh"

namespace gannet::bench {

/// A column in device memory (padded by 4 words), and the most shared memory that a group of it
/// takes.
struct QueryColumn {
  ListView list;
  GroupRoom room;
};

/// The flight's columns, all of the same length.
struct Flight1Lists {
  QueryColumn date;
  QueryColumn quantity;
  QueryColumn discount;
  QueryColumn price;
};

/// What a query does with the rows that its filters have ruled out already.
enum class Skip {
  kNothing,  ///< reads them all the same
  kTiles,  ///< reads a column only where rows are left: of plain columns units of 16 bytes, of the
           ///< others groups of tiles, and of the last column tiles
};

/// The rows of a group that a lane still wants, and what is kept of them.
struct Rows {
  std::uint32_t wanted;                   ///< bit 4 t + i: value i of tile t
  std::uint32_t discount[kTilesOfGroup];  ///< of a tile's four values, a byte each
  std::uint64_t sum;

  /// All `rows` rows of the group are wanted.
  __device__ void begin(std::uint32_t rows) {
    wanted = 0xffff;
    if (rows >= kTilesOfGroup * kTile) return;
    for (std::uint32_t bit = 0; bit < 16; ++bit) {
      const bool there = bit / 4 * kTile + 4 * WarpLanes::id() + bit % 4 < rows;
      if (!there) wanted &= ~(1u << bit);
    }
  }

  __device__ std::uint32_t of_tile(std::uint32_t t) const { return wanted >> (4 * t) & 15; }

  __device__ void keep(std::uint32_t t, const Quad& quad, Range range) {
    std::uint32_t out = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (!range.has(quad.value[i])) out |= 1u << i;
    }
    wanted &= ~(out << (4 * t));
  }

  /// Those that are wanted are below 256.
  __device__ void keep_discount(std::uint32_t t, const Quad& quad) {
    discount[t] = __byte_perm(__byte_perm(quad.value[0], quad.value[1], 0x0040),
                              __byte_perm(quad.value[2], quad.value[3], 0x0040), 0x5410);
  }

  __device__ void add(std::uint32_t t, const Quad& price) {
    if (of_tile(t) == 0) return;
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t factor = discount[t] >> (8 * i) & 0xff;
      if ((wanted >> (4 * t + i) & 1) != 0) sum += std::uint64_t{price.value[i]} * factor;
    }
  }
};

inline constexpr std::uint32_t kQueryWarps = 8;

/// The sum of all threads' `sum`, in thread 0.
template <std::uint32_t kWarps>
__device__ __forceinline__ std::uint64_t block_sum(std::uint64_t sum) {
  __shared__ std::uint64_t sums[kWarps];
  for (int step = 1; step < static_cast<int>(kLanes); step *= 2) {
    sum += __shfl_xor_sync(WarpLanes::kAll, sum, step);
  }
  if (WarpLanes::id() == 0) sums[threadIdx.x / kLanes] = sum;
  __syncthreads();
  std::uint64_t total = 0;
  for (const std::uint64_t each : sums) total += each;
  return total;
}

/// A warp a group, as many groups as it takes: the words of all four columns are copied at once,
/// then the columns are decoded and filtered one after the other. sums[block] = the block's part of
/// the answer. Dynamic shared memory: kQueryWarps times the rooms of the columns.
template <class Date, class Quantity, class Discount, class Price>
__global__ void __launch_bounds__(kQueryWarps* kLanes)
    flight1_kernel(Flight1Lists columns, Flight1Ranges query, std::uint64_t* sums) {
  extern __shared__ uint4 memory[];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t stride = gridDim.x * kQueryWarps;
  const std::uint32_t groups = group_count(columns.date.list);
  uint4* const date_memory =
      memory + warp * (columns.date.room.units() + columns.quantity.room.units() +
                       columns.discount.room.units() + columns.price.room.units());
  uint4* const quantity_memory = date_memory + columns.date.room.units();
  uint4* const discount_memory = quantity_memory + columns.quantity.room.units();
  uint4* const price_memory = discount_memory + columns.discount.room.units();

  Rows rows{};
  std::uint32_t number = blockIdx.x * kQueryWarps + warp;
  Place<Date> at_date(columns.date.list, number);
  Place<Quantity> at_quantity(columns.quantity.list, number);
  Place<Discount> at_discount(columns.discount.list, number);
  Place<Price> at_price(columns.price.list, number);
  for (; number < groups; number += stride) {
    const Group group = group_of(columns.date.list, number);
    __syncwarp();
    const Staged<Date> date(columns.date, group, at_date, date_memory);
    const Staged<Quantity> quantity(columns.quantity, group, at_quantity, quantity_memory);
    const Staged<Discount> discount(columns.discount, group, at_discount, discount_memory);
    const Staged<Price> price(columns.price, group, at_price, price_memory);
    at_date = Place<Date>(columns.date.list, number + stride);
    at_quantity = Place<Quantity>(columns.quantity.list, number + stride);
    at_discount = Place<Discount>(columns.discount.list, number + stride);
    at_price = Place<Price>(columns.price.list, number + stride);
    rows.begin(columns.date.list.count - number * kTilesOfGroup * kTile);
    await_copies();

    date.decode([&](std::uint32_t t, const Quad& quad) { rows.keep(t, quad, query.date); });
    quantity.decode([&](std::uint32_t t, const Quad& quad) { rows.keep(t, quad, query.quantity); });
    discount.decode([&](std::uint32_t t, const Quad& quad) {
      rows.keep(t, quad, query.discount);
      rows.keep_discount(t, quad);
    });
    price.decode([&](std::uint32_t t, const Quad& quad) { rows.add(t, quad); });
  }
  const std::uint64_t total = block_sum<kQueryWarps>(rows.sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

/// Calls f(t, quad) for the tiles of a group in which a lane wants a row: of plain columns those
/// 16 bytes are read, of others the group (or, tile by tile, if `sparse`) if any lane wants a row.
template <class Codec, bool sparse, class F>
__device__ __forceinline__ void load_wanted(const QueryColumn& column, const Group& group,
                                            std::uint32_t number, const Rows& rows, uint4* memory,
                                            F f) {
  if constexpr (std::is_same_v<Codec, codecs::None>) {
    Quad quads[kTilesOfGroup];
#pragma unroll
    for (std::uint32_t t = 0; t < kTilesOfGroup; ++t) {
      if (rows.of_tile(t) == 0) continue;
      const std::uint32_t row = (group.first + t) * kTile + 4 * WarpLanes::id();
      const uint4 four = __ldcs(reinterpret_cast<const uint4*>(column.list.words + row));
      quads[t] = {four.x, four.y, four.z, four.w};
    }
#pragma unroll
    for (std::uint32_t t = 0; t < kTilesOfGroup; ++t) {
      if (rows.of_tile(t) != 0) f(t, quads[t]);
    }
  } else if constexpr (sparse) {
#pragma unroll
    for (std::uint32_t t = 0; t < kTilesOfGroup; ++t) {
      if (!__any_sync(WarpLanes::kAll, rows.of_tile(t) != 0)) continue;
      f(t, decode_alone<Codec>(column.list, group.first + t));
    }
  } else {
    if (!__any_sync(WarpLanes::kAll, rows.wanted != 0)) return;
    const Place<Codec> at(column.list, number);
    __syncwarp();
    const Staged<Codec> staged(column, group, at, memory);
    await_copies();
    staged.decode(f);
  }
}

/// The same, but for what is not wanted. Dynamic shared memory: kQueryWarps times the largest of
/// the columns' rooms.
template <class Date, class Quantity, class Discount, class Price>
__global__ void __launch_bounds__(kQueryWarps* kLanes)
    flight1_skipping_kernel(Flight1Lists columns, Flight1Ranges query, std::uint32_t units,
                            std::uint64_t* sums) {
  extern __shared__ uint4 memory[];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t groups = group_count(columns.date.list);
  uint4* const mine = memory + warp * units;
  Rows rows{};
  for (std::uint32_t number = blockIdx.x * kQueryWarps + warp; number < groups;
       number += gridDim.x * kQueryWarps) {
    const Group group = group_of(columns.date.list, number);
    rows.begin(columns.date.list.count - number * kTilesOfGroup * kTile);
    load_wanted<Date, false>(
        columns.date, group, number, rows, mine,
        [&](std::uint32_t t, const Quad& quad) { rows.keep(t, quad, query.date); });
    load_wanted<Quantity, false>(
        columns.quantity, group, number, rows, mine,
        [&](std::uint32_t t, const Quad& quad) { rows.keep(t, quad, query.quantity); });
    load_wanted<Discount, false>(columns.discount, group, number, rows, mine,
                                 [&](std::uint32_t t, const Quad& quad) {
                                   rows.keep(t, quad, query.discount);
                                   rows.keep_discount(t, quad);
                                 });
    load_wanted<Price, true>(columns.price, group, number, rows, mine,
                             [&](std::uint32_t t, const Quad& quad) { rows.add(t, quad); });
  }
  const std::uint64_t total = block_sum<kQueryWarps>(rows.sum);
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
  /// The columns, given their words on the device and (to look at the sizes of groups) on the host.
  static Flight1Lists lists(const std::array<ListView, 4>& device,
                            const std::array<ListView, 4>& host) {
    return {{device[0], room_for<Date>(host[0])},
            {device[1], room_for<Quantity>(host[1])},
            {device[2], room_for<Discount>(host[2])},
            {device[3], room_for<Price>(host[3])}};
  }

  /// Puts the answer at `*answer` (device memory), on `stream`.
  static void launch(const Flight1Lists& columns, const Flight1Ranges& query, Skip skip,
                     std::uint64_t* sums, std::uint64_t* answer, cudaStream_t stream) {
    const std::uint32_t units[] = {columns.date.room.units(), columns.quantity.room.units(),
                                   columns.discount.room.units(), columns.price.room.units()};
    std::uint32_t blocks = 0;
    if (skip == Skip::kTiles) {
      const std::uint32_t most = *std::max_element(units, units + 4);
      const auto kernel = flight1_skipping_kernel<Date, Quantity, Discount, Price>;
      blocks = prepared_blocks(kernel, columns, most);
      kernel<<<blocks, kQueryWarps * kLanes, bytes_of(most), stream>>>(columns, query, most, sums);
    } else {
      const std::uint32_t all = units[0] + units[1] + units[2] + units[3];
      const auto kernel = flight1_kernel<Date, Quantity, Discount, Price>;
      blocks = prepared_blocks(kernel, columns, all);
      kernel<<<blocks, kQueryWarps * kLanes, bytes_of(all), stream>>>(columns, query, sums);
    }
    codecs::cuda::check_launch("flight1_kernel");
    sum_kernel<<<1, kSumWarps * kLanes, 0, stream>>>(sums, blocks, answer);
    codecs::cuda::check_launch("sum_kernel");
  }

 private:
  static std::uint32_t bytes_of(std::uint32_t units) { return kQueryWarps * units * sizeof(uint4); }

  /// Allows the kernel its shared memory; how many blocks to launch.
  template <class Kernel>
  static std::uint32_t prepared_blocks(Kernel kernel, const Flight1Lists& columns,
                                       std::uint32_t units) {
    const std::uint32_t bytes = bytes_of(units);
    codecs::cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(bytes)),
                        "cudaFuncSetAttribute");
    int resident = 0;
    codecs::cuda::check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel,
                                                                      kQueryWarps * kLanes, bytes),
                        "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    const int processors = codecs::cuda::device_attribute(cudaDevAttrMultiProcessorCount);
    const std::uint32_t wanted = codecs::ceil_div(group_count(columns.date.list), kQueryWarps);
    return std::clamp(
        wanted, 1u,
        std::min(static_cast<std::uint32_t>(std::max(resident, 1) * processors), kMostQueryBlocks));
  }
};

}  // namespace gannet::bench
