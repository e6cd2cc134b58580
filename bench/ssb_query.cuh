// Query flight 1 as one kernel over compressed columns: filter and sum, nothing written but a sum a
// thread block. The codec of each column is a template argument.
#pragma once

#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "gannet/bench/ssb_flight1.hpp"
#include "gannet/codecs/codec.hpp"
#include "gannet/codecs/cuda/check.hpp"
#include "gannet/codecs/cuda/group_ring.cuh"
#include "gannet/codecs/cuda/persistent.cuh"

namespace gannet::bench {

using codecs::ceil_div;
using codecs::kGroupTiles;
using codecs::kLanes;
using codecs::kTile;
using codecs::ListView;
using codecs::Payload;
using codecs::Quad;
using codecs::WarpLanes;
using codecs::cuda::Group;

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

/// What a query does with the rows that its filters have ruled out already.
enum class Skip {
  kNothing,  ///< reads them all the same: every column is on its way while the one before it is
             ///< used
  kTiles,    ///< leaves out tiles of which no row is left, where most of a group's tiles are such
};

/// Where a group's words stand in a column; known before they are copied.
template <class Codec>
struct Located {
  static constexpr bool kBoundaries = codecs::cuda::HasBoundaries<Codec>;
  codecs::Extent extent{};
  codecs::Extent lengths{};    ///< of run lengths that stand elsewhere
  std::uint32_t boundary = 0;  ///< lane i has that of tile first + i

  Located() = default;
  __device__ explicit Located(const Group& group) {
    if (group.first >= group.last) return;
    if constexpr (kBoundaries) {
      if (group.full()) {
        boundary = Codec::boundary(group.list, group.first + min(WarpLanes::id(), kGroupTiles));
        return;
      }
    }
    extent = Codec::extent(group.list, group.first, group.last);
    if constexpr (requires { Codec::lengths_extent(group.list, 0u, 0u); }) {
      lengths = Codec::lengths_extent(group.list, group.first, group.last);
    }
  }
};

template <class Codec>
constexpr std::uint32_t kLengthsWords = 0;
template <class Codec>
requires requires { Codec::tile_lengths_words; }
constexpr std::uint32_t kLengthsWords<Codec> =
    codecs::cuda::staged_words(kGroupTiles * Codec::tile_lengths_words);

/// Words of shared memory that a group of a column takes.
template <class Codec>
constexpr std::uint32_t kValuesWords =
    codecs::cuda::staged_words(kGroupTiles* Codec::tile_words) + codecs::kOverread;

/// A group's words in shared memory; room for those of any of the codecs.
template <class... Codec>
struct Slot {
  uint4 words[std::max({(kValuesWords<Codec> + kLengthsWords<Codec>) / 4 ...})];
  std::uint32_t boundaries[kGroupTiles + 4];
};

/// Starts to copy words [begin, end) of a list to `to`; returns how to read them there.
__device__ __forceinline__ Payload start_copy(ListView list, codecs::Extent extent, uint4* to) {
  const auto address = reinterpret_cast<std::uintptr_t>(list.words + extent.begin);
  const auto skew = static_cast<std::uint32_t>(address % 16 / 4);
  const auto* from = reinterpret_cast<const uint4*>(address - skew * 4);
  const std::uint32_t units = (extent.end - extent.begin + skew + 3) / 4;
  for (std::uint32_t i = WarpLanes::id(); i < units; i += kLanes) {
    __pipeline_memcpy_async(to + i, from + i, sizeof(uint4));
  }
  return {reinterpret_cast<const std::uint32_t*>(to), extent.begin - skew};
}

/// A column's group on its way to a slot.
template <class Codec>
struct Copied {
  Payload values;
  Payload lengths;
};

template <class Codec, class AnySlot>
__device__ __forceinline__ Copied<Codec> fetch(const Group& group, Located<Codec> at,
                                               AnySlot& slot) {
  Copied<Codec> copied{};
  __syncwarp();
  if (group.first < group.last) {
    if constexpr (Located<Codec>::kBoundaries) {
      if (group.full()) {
        const std::uint32_t begin = __shfl_sync(WarpLanes::kAll, at.boundary, 0);
        const std::uint32_t end = __shfl_sync(WarpLanes::kAll, at.boundary, kGroupTiles);
        at.extent = Codec::extent_between(group.list, group.first, begin, end);
        if (WarpLanes::id() <= kGroupTiles) slot.boundaries[WarpLanes::id()] = at.boundary;
      }
    }
    copied.values = start_copy(group.list, at.extent, slot.words);
    if constexpr (kLengthsWords < Codec >> 0) {
      copied.lengths = start_copy(group.list, at.lengths, slot.words + kValuesWords<Codec> / 4);
    }
  }
  __pipeline_commit();
  return copied;
}

/// Calls f(t, quad) for all tiles of a group that has arrived. "One call loads a tile": this is it,
/// whatever the codec.
template <class Codec, class AnySlot, class F>
__device__ __forceinline__ void use(const Group& group, const Copied<Codec>& copied, AnySlot& slot,
                                    F f) {
  __pipeline_wait_prior(1);
  __syncwarp();
  if constexpr (kLengthsWords < Codec >> 0) {
    auto cursor = Codec::seek(WarpLanes{}, group.list, group.first);
    WarpLanes::Var<Quad> quad;
#pragma unroll 1
    for (std::uint32_t tile = group.first; tile < group.last; ++tile) {
      Codec::next(WarpLanes{}, group.list, copied.values, copied.lengths, tile, cursor, quad);
      f(tile - group.first, quad.value);
    }
  } else {
    codecs::cuda::decode_group<Codec, codecs::Content::kValues>(
        group, copied.values, slot.boundaries,
        [&](std::uint32_t tile, const Quad& quad, std::uint32_t) { f(tile - group.first, quad); });
  }
}

/// Calls f(t, quad) for the tiles of the group that are wanted, and for others at its leisure.
template <class Codec, class F>
__device__ __forceinline__ void use_wanted(const Group& group, Wanted wanted, uint4* memory, F f) {
  const std::uint32_t live = wanted.tiles();
  if (live == 0) return;
  WarpLanes::Var<Quad> quad;
  const ListView list = group.list;
  if (2 * codecs::popcount(live) <= kGroupTiles) {
    for (std::uint32_t t = 0; group.first + t < group.last; ++t) {
      if ((live >> (4 * t) & 1) == 0) continue;
      auto cursor = Codec::seek(WarpLanes{}, list, group.first + t);
      Codec::next(WarpLanes{}, list, Payload{list.words, 0}, group.first + t, cursor, quad);
      f(t, quad.value);
    }
    return;
  }
  const Payload payload =
      codecs::cuda::stage(list.words, Codec::extent(list, group.first, group.last), memory);
  auto cursor = Codec::seek(WarpLanes{}, list, group.first);
  for (std::uint32_t tile = group.first; tile < group.last; ++tile) {
    Codec::next(WarpLanes{}, list, payload, tile, cursor, quad);
    f(tile - group.first, quad.value);
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

/// What the query does with the values of one group.
struct Step {
  Flight1Ranges query;
  std::uint32_t (*kept)[kLanes];  ///< the discounts of the group
  Wanted wanted;
  std::uint64_t sum;

  __device__ void date(std::uint32_t t, const Quad& quad) { wanted.keep(t, quad, query.date); }
  __device__ void quantity(std::uint32_t t, const Quad& quad) {
    wanted.keep(t, quad, query.quantity);
  }
  __device__ void discount(std::uint32_t t, const Quad& quad) {
    wanted.keep(t, quad, query.discount);
    kept[t][WarpLanes::id()] = packed_bytes(quad);  // those wanted are below 256
  }
  __device__ void price(std::uint32_t t, const Quad& quad) {
    const std::uint32_t discounts = kept[t][WarpLanes::id()];
    for (std::uint32_t i = 0; i < 4; ++i) {
      const std::uint32_t factor = discounts >> (8 * i) & 0xff;
      if (wanted.has(t, i)) sum += std::uint64_t{quad.value[i]} * factor;
    }
  }
};

__device__ __forceinline__ Group group_of(ListView list, std::uint32_t number) {
  const std::uint32_t tiles = codecs::tile_count(list.count);
  const std::uint32_t first = min(number * kGroupTiles, tiles);
  return {list, first, min(first + kGroupTiles, tiles), 0, 0};
}

/// A warp a group of tiles, as many groups as it takes. sums[block] = the block's part of the
/// answer.
template <class Date, class Quantity, class Discount, class Price>
__global__ void __launch_bounds__(kQueryWarps* kLanes)
    flight1_kernel(Flight1Lists columns, Flight1Ranges query, std::uint64_t* sums) {
  __shared__ Slot<Date, Quantity, Discount, Price> slots[kQueryWarps][2];
  __shared__ std::uint32_t kept[kQueryWarps][kGroupTiles][kLanes];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t stride = gridDim.x * kQueryWarps;
  const std::uint32_t groups = ceil_div(codecs::tile_count(columns.date.count), kGroupTiles);
  auto& one = slots[warp][0];
  auto& two = slots[warp][1];
  Step step{query, kept[warp], {}, 0};

  std::uint32_t number = blockIdx.x * kQueryWarps + warp;
  Group date = group_of(columns.date, number);
  Copied<Date> dates = fetch(date, Located<Date>(date), one);
  Located<Quantity> at_quantity(group_of(columns.quantity, number));
  Located<Discount> at_discount(group_of(columns.discount, number));
  Located<Price> at_price(group_of(columns.price, number));
  for (; number < groups; number += stride) {
    const Group quantity = group_of(columns.quantity, number);
    const Group discount = group_of(columns.discount, number);
    const Group price = group_of(columns.price, number);
    const Group next = group_of(columns.date, number + stride);
    const Located<Date> at_next(next);
    step.wanted = Wanted::all(columns.date.count - date.first * kTile);

    const auto quantities = fetch(quantity, at_quantity, two);
    use(date, dates, one, [&](std::uint32_t t, const Quad& quad) { step.date(t, quad); });
    at_quantity = Located<Quantity>(group_of(columns.quantity, number + stride));

    const auto discounts = fetch(discount, at_discount, one);
    use(quantity, quantities, two,
        [&](std::uint32_t t, const Quad& quad) { step.quantity(t, quad); });
    at_discount = Located<Discount>(group_of(columns.discount, number + stride));

    const auto prices = fetch(price, at_price, two);
    use(discount, discounts, one,
        [&](std::uint32_t t, const Quad& quad) { step.discount(t, quad); });
    at_price = Located<Price>(group_of(columns.price, number + stride));

    dates = fetch(next, at_next, one);
    use(price, prices, two, [&](std::uint32_t t, const Quad& quad) { step.price(t, quad); });
    date = next;
  }
  __pipeline_wait_prior(0);
  const std::uint64_t total = block_sum<kQueryWarps>(step.sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

/// The same, but for tiles that are not wanted.
template <class Date, class Quantity, class Discount, class Price>
__global__ void __launch_bounds__(kQueryWarps* kLanes)
    flight1_skipping_kernel(Flight1Lists columns, Flight1Ranges query, std::uint64_t* sums) {
  __shared__ Slot<Date, Quantity, Discount, Price> slots[kQueryWarps];
  __shared__ std::uint32_t kept[kQueryWarps][kGroupTiles][kLanes];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const std::uint32_t groups = ceil_div(codecs::tile_count(columns.date.count), kGroupTiles);
  uint4* memory = slots[warp].words;
  Step step{query, kept[warp], {}, 0};
  for (std::uint32_t number = blockIdx.x * kQueryWarps + warp; number < groups;
       number += gridDim.x * kQueryWarps) {
    step.wanted = Wanted::all(columns.date.count - number * kGroupTiles * kTile);
    use_wanted<Date>(group_of(columns.date, number), step.wanted, memory,
                     [&](std::uint32_t t, const Quad& quad) { step.date(t, quad); });
    use_wanted<Quantity>(group_of(columns.quantity, number), step.wanted, memory,
                         [&](std::uint32_t t, const Quad& quad) { step.quantity(t, quad); });
    use_wanted<Discount>(group_of(columns.discount, number), step.wanted, memory,
                         [&](std::uint32_t t, const Quad& quad) { step.discount(t, quad); });
    use_wanted<Price>(group_of(columns.price, number), step.wanted, memory,
                      [&](std::uint32_t t, const Quad& quad) { step.price(t, quad); });
  }
  const std::uint64_t total = block_sum<kQueryWarps>(step.sum);
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
    const auto kernel = skip == Skip::kTiles
                            ? flight1_skipping_kernel<Date, Quantity, Discount, Price>
                            : flight1_kernel<Date, Quantity, Discount, Price>;
    const std::uint32_t groups =
        ceil_div(codecs::tile_count(columns.date.count), kGroupTiles * kQueryWarps);
    const std::uint32_t blocks = codecs::cuda::persistent_blocks(
        kernel, kQueryWarps * kLanes, 0, std::clamp(groups, 1u, kMostQueryBlocks));
    kernel<<<blocks, kQueryWarps * kLanes, 0, stream>>>(columns, query, sums);
    codecs::cuda::check_launch("flight1_kernel");
    sum_kernel<<<1, kSumWarps * kLanes, 0, stream>>>(sums, blocks, answer);
    codecs::cuda::check_launch("sum_kernel");
  }
};

}  // namespace gannet::bench
