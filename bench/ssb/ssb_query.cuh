// Query flight 1 as one kernel over compressed columns: filter and sum, nothing written but a sum a
// thread block. The codec of each column is a template argument.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "bench/ssb/ssb_flight1.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/device/group_loader.cuh"

namespace gannet::bench {

using codecs::kLanes;
using codecs::kTile;
using codecs::ListView;
using codecs::Quad;
using codecs::WarpLanes;
using codecs::cuda::await_copies;
using codecs::cuda::GroupLoader;
using codecs::cuda::GroupLocation;
using codecs::cuda::kLoadTiles;
using codecs::cuda::load_count;
using codecs::cuda::load_layout;
using codecs::cuda::load_range;
using codecs::cuda::load_rows;
using codecs::cuda::LoadColumn;
using codecs::cuda::TileRange;

/// The flight's columns, all of the same length.
struct Flight1Lists {
  LoadColumn date;
  LoadColumn quantity;
  LoadColumn discount;
  LoadColumn price;
};

/// Which columns a query reads whole; of the others it reads the rows that the filters before them
/// have left.
enum class Whole {
  kAll,      ///< all four
  kFilters,  ///< those that are filtered by: not the price
  kDate,     ///< the order date alone
};

/// The rows of a group that a lane still wants, and what is kept of them: bit 4 t + i (or the four
/// bits from 4 (4 t + i) on) belongs to value i of its quad in tile t.
struct Rows {
  std::uint32_t wanted;
  std::uint64_t discounts;
  std::uint64_t sum;

  /// All `rows` rows of the group are wanted.
  __device__ void begin(std::uint32_t rows) {
    wanted = 0xffff;
    discounts = 0;
    if (rows >= kLoadTiles * kTile) return;
    for (std::uint32_t bit = 0; bit < 16; ++bit) {
      const bool there = bit / 4 * kTile + 4 * WarpLanes::id() + bit % 4 < rows;
      if (!there) wanted &= ~(1u << bit);
    }
  }

  /// Filters by the values of tile t.
  __device__ void keep(std::uint32_t t, const Quad& quad, Range range) {
    std::uint32_t out = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (!range.has(quad.value[i])) out |= 1u << i;
    }
    wanted &= ~(out << (4 * t));
  }
  __device__ void keep_row(std::uint32_t bit, std::uint32_t value, Range range) {
    if (!range.has(value)) wanted &= ~(1u << bit);
  }

  /// Those that are wanted are below 16.
  __device__ void note(std::uint32_t t, const Quad& discount) {
    std::uint32_t four = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) four |= (discount.value[i] & 15) << (4 * i);
    discounts |= static_cast<std::uint64_t>(four) << (16 * t);
  }
  __device__ void note_row(std::uint32_t bit, std::uint32_t discount) {
    discounts |= static_cast<std::uint64_t>(discount & 15) << (4 * bit);
  }

  __device__ void add(std::uint32_t t, const Quad& price) {
    const auto four = static_cast<std::uint32_t>(discounts >> (16 * t));
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t factor = four >> (4 * i) & 15;
      if ((wanted >> (4 * t + i) & 1) != 0) sum += std::uint64_t{price.value[i]} * factor;
    }
  }
  __device__ void add_row(std::uint32_t bit, std::uint32_t price) {
    sum += price * (discounts >> (4 * bit) & 15);
  }
};

inline constexpr std::uint32_t kQueryWarps = 8;
/// Thread blocks that a multiprocessor can run, as far as registers go.
template <Whole whole>
inline constexpr std::uint32_t kQueryBlocks = whole == Whole::kDate ? 5 : 4;

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

/// Units of shared memory that a warp takes for a column, and for all columns that are read whole.
template <class Codec, bool is_whole>
__host__ __device__ std::uint32_t units_of(const LoadColumn& column) {
  return is_whole ? codecs::cuda::load_units<Codec>(column.layout) : 0;
}
template <class Date, class Quantity, class Discount, class Price, Whole whole>
__host__ __device__ std::uint32_t units_of(const Flight1Lists& columns) {
  constexpr bool kFilters = whole != Whole::kDate;
  return units_of<Date, true>(columns.date) + units_of<Quantity, kFilters>(columns.quantity) +
         units_of<Discount, kFilters>(columns.discount) +
         units_of<Price, whole == Whole::kAll>(columns.price);
}

/// One warp per group, per_warp times. Blocks take groups in their order, so that all warps read in
/// one neighbourhood at any time: the words of the columns that are read whole are copied at once,
/// then the columns are decoded and filtered one after the other. sums[block] = the block's part of
/// the answer. Dynamic shared memory: units_of(columns) for each warp.
template <class Date, class Quantity, class Discount, class Price, Whole whole>
__global__ void __launch_bounds__(kQueryWarps* kLanes, kQueryBlocks<whole>)
    flight1_kernel(Flight1Lists columns, Flight1Ranges query, std::uint32_t per_warp,
                   std::uint64_t* sums) {
  constexpr bool kFilters = whole != Whole::kDate;
  constexpr bool kPrice = whole == Whole::kAll;
  extern __shared__ uint4 memory[];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t first = blockIdx.x * kQueryWarps * per_warp;
  const std::uint32_t end = min(first + kQueryWarps * per_warp, load_count(columns.date.list));
  uint4* const date_memory =
      memory + warp * units_of<Date, Quantity, Discount, Price, whole>(columns);
  uint4* const quantity_memory = date_memory + units_of<Date, true>(columns.date);
  uint4* const discount_memory = quantity_memory + units_of<Quantity, kFilters>(columns.quantity);
  uint4* const price_memory = discount_memory + units_of<Discount, kFilters>(columns.discount);

  Rows rows{};
  for (std::uint32_t number = first + warp; number < end; number += kQueryWarps) {
    const TileRange group = load_range(columns.date.list, number);
    const GroupLocation<Date> at_date(columns.date.list, number);
    const GroupLocation<Quantity> at_quantity(columns.quantity.list, number);
    const GroupLocation<Discount> at_discount(columns.discount.list, number);
    const GroupLocation<Price> at_price(columns.price.list, number);
    __syncwarp();
    const GroupLoader<Date, true> date(columns.date, group, at_date, date_memory);
    const GroupLoader<Quantity, kFilters> quantity(columns.quantity, group, at_quantity,
                                                   quantity_memory);
    const GroupLoader<Discount, kFilters> discount(columns.discount, group, at_discount,
                                                   discount_memory);
    const GroupLoader<Price, kPrice> price(columns.price, group, at_price, price_memory);
    rows.begin(columns.date.list.count - number * kLoadTiles * kTile);
    await_copies();

    rows.wanted &= date.rows_in(query.date);
    if constexpr (kFilters) {
      rows.wanted &= quantity.rows_in(query.quantity);
      discount.decode([&](std::uint32_t t, const Quad& quad) {
        rows.keep(t, quad, query.discount);
        rows.note(t, quad);
      });
    } else {
      load_rows<Quantity>(columns.quantity.list, group, at_quantity, rows.wanted,
                          [&](std::uint32_t bit, std::uint32_t value) {
                            rows.keep_row(bit, value, query.quantity);
                          });
      load_rows<Discount>(columns.discount.list, group, at_discount, rows.wanted,
                          [&](std::uint32_t bit, std::uint32_t value) {
                            rows.keep_row(bit, value, query.discount);
                            rows.note_row(bit, value);
                          });
    }
    if constexpr (kPrice) {
      price.decode([&](std::uint32_t t, const Quad& quad) { rows.add(t, quad); });
    } else {
      load_rows<Price>(columns.price.list, group, at_price, rows.wanted,
                       [&](std::uint32_t bit, std::uint32_t value) { rows.add_row(bit, value); });
    }
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
inline constexpr std::uint32_t kMaxQueryBlocks = 1 << 14;

/// The flight over columns of these codecs. Swapping one for another is all that a query knows of
/// compression.
template <class Date, class Quantity, class Discount, class Price>
struct Flight1Query {
  /// The columns, given their words on the device and (to look at the sizes of groups) on the host.
  static Flight1Lists lists(const std::array<ListView, 4>& device,
                            const std::array<ListView, 4>& host) {
    return {{device[0], load_layout<Date>(host[0])},
            {device[1], load_layout<Quantity>(host[1])},
            {device[2], load_layout<Discount>(host[2])},
            {device[3], load_layout<Price>(host[3])}};
  }

  /// Puts the answer at `*answer` (device memory), on `stream`. The query asks for discounts below
  /// 16.
  static void launch(const Flight1Lists& columns, const Flight1Ranges& query, Whole whole,
                     std::uint64_t* sums, std::uint64_t* answer, cudaStream_t stream) {
    if (whole == Whole::kAll) launch_as<Whole::kAll>(columns, query, sums, answer, stream);
    if (whole == Whole::kFilters) launch_as<Whole::kFilters>(columns, query, sums, answer, stream);
    if (whole == Whole::kDate) launch_as<Whole::kDate>(columns, query, sums, answer, stream);
  }

 private:
  template <Whole whole>
  static void launch_as(const Flight1Lists& columns, const Flight1Ranges& query,
                        std::uint64_t* sums, std::uint64_t* answer, cudaStream_t stream) {
    const auto kernel = flight1_kernel<Date, Quantity, Discount, Price, whole>;
    const std::uint32_t bytes =
        kQueryWarps * units_of<Date, Quantity, Discount, Price, whole>(columns) * sizeof(uint4);
    codecs::cuda::check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             static_cast<int>(bytes)),
                        "cudaFuncSetAttribute");
    constexpr std::uint32_t kFewest = 4;  // groups per warp: starting a block costs something
    const std::uint32_t groups = load_count(columns.date.list);
    const std::uint32_t per_warp =
        std::max(kFewest, codecs::ceil_div(groups, kQueryWarps * kMaxQueryBlocks));
    const std::uint32_t blocks = std::max(1u, codecs::ceil_div(groups, kQueryWarps * per_warp));
    codecs::cuda::launch_kernel({"flight1_kernel", blocks, kQueryWarps * kLanes, bytes, stream},
                                kernel, columns, query, per_warp, sums);
    codecs::cuda::launch_kernel({"sum_kernel", 1, kSumWarps * kLanes, 0, stream}, sum_kernel, sums,
                                blocks, answer);
  }
};

}  // namespace gannet::bench
