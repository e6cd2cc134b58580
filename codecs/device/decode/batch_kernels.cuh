// The kernels of batches of columns: checking, sizes, decoding.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <type_traits>

#include "codecs/core/concepts.hpp"
#include "codecs/device/batch.hpp"
#include "codecs/device/detail/part_share.hpp"
#include "codecs/device/detail/tuning.hpp"
#include "codecs/device/detail/write_out.cuh"

namespace gannet::codecs::cuda {

__device__ __forceinline__ DescribedView column_of(const BatchView& batch, std::uint64_t item) {
  return {static_cast<const std::byte*>(batch.columns[item])};
}

/// The values that are wanted of a column of `count` values. May reach beyond its end.
__device__ __forceinline__ ValueRange range_of(const BatchView& batch, std::uint64_t item,
                                               std::uint64_t count) {
  if (batch.ranges == nullptr) return {0, count};
  const ValueRange range = batch.ranges[item];
  if (range.count != kAllValues) return range;
  return {range.first, range.first < count ? count - range.first : 0};
}

__device__ inline ColumnStatus memory_status(const BatchView& batch, std::uint64_t item) {
  const auto* column = static_cast<const std::byte*>(batch.columns[item]);
  if (reinterpret_cast<std::uintptr_t>(column) % kColumnUnit != 0) {
    return ColumnStatus::kMisaligned;
  }
  return header_status(column, batch.column_bytes[item]);
}

/// Whether a column's range is there and fits its output.
__device__ inline ColumnStatus output_status(const BatchView& batch, std::uint64_t item,
                                             const BatchPlan& plan) {
  const std::uint64_t count = column_of(batch, item).header().count;
  const ValueRange range = range_of(batch, item, count);
  if (range.first > count || range.count > count - range.first) return ColumnStatus::kRange;
  if (range.count > plan.most_values) return ColumnStatus::kTooManyValues;
  if (reinterpret_cast<std::uintptr_t>(batch.outputs[item]) % kColumnUnit != 0) {
    return ColumnStatus::kMisaligned;
  }
  return range.count <= batch.output_bytes[item] / size_of(plan.type)
             ? ColumnStatus::kOk
             : ColumnStatus::kOutputTooSmall;
}

/// How a codec's columns of a type are checked and decoded, over the two kinds of codecs.
template <class Codec_, class T_>
struct TilesOf {
  using Codec = Codec_;
  using T = T_;
  __device__ static Fault frame_fault(const PartView& part) {
    return Codec::frame_fault(part.words, part.count);
  }
  __device__ static std::uint32_t units(const PartView& part) {
    return ceil_div(part.count, Codec::block);
  }
  __device__ static Fault unit_fault(const PartView& part, std::uint32_t unit) {
    return Codec::block_fault(part.words, part.count, unit);
  }
};

/// `Any` is the type itself, with its sign: some codecs' words tell it.
template <class Codec_, class Any_>
struct ChunksOf {
  using Codec = Codec_;
  using T = std::make_unsigned_t<Any_>;
  __device__ static Fault frame_fault(const PartView& part) {
    return Codec::template frame_fault<Any_>(part.words, part.count);
  }
  __device__ static std::uint32_t chunk_values(const PartView& part) {
    return part.count == 0 ? 1 : Codec::template chunk_values<T>(part.words.words);
  }
  __device__ static std::uint32_t units(const PartView& part) {
    return ceil_div(part.count, chunk_values(part));
  }
  __device__ static Fault unit_fault(const PartView& part, std::uint32_t unit) {
    return Codec::template chunk_fault<Any_>(part.words, part.count, unit);
  }
};

/// One thread per column: the header. `with_outputs`: ranges and outputs too.
static __global__ void __launch_bounds__(kBatchPolicy.check_threads)
    check_headers_kernel(BatchView batch, BatchPlan plan, bool with_outputs,
                         ColumnStatus* statuses) {
  const std::uint64_t item = std::uint64_t{blockIdx.x} * kBatchPolicy.check_threads + threadIdx.x;
  if (item >= batch.size) return;
  ColumnStatus status = memory_status(batch, item);
  if (status == ColumnStatus::kOk) {
    const ColumnHeader& header = column_of(batch, item).header();
    if (header.codec != static_cast<std::uint32_t>(plan.codec) ||
        header.type != static_cast<std::uint32_t>(plan.type)) {
      status = ColumnStatus::kOtherCodec;
    } else if (with_outputs) {
      status = output_status(batch, item, plan);
    }
  }
  statuses[item] = status;
}

/// Everything else of the columns whose headers are right: `blocks_per_item` thread blocks a
/// column. A thread looks at the frames of its parts, each with others that have the same part, and
/// at its own units of theirs (blocks or chunks).
template <class Kind>
__global__ void __launch_bounds__(kBatchPolicy.check_threads)
    check_parts_kernel(BatchView batch, std::uint32_t blocks_per_item, ColumnStatus* statuses) {
  const std::uint64_t item = blockIdx.x / blocks_per_item;
  // Another thread may have found a fault; then there is nothing more to find.
  const auto is_damaged = [&] {
    return *const_cast<volatile ColumnStatus*>(statuses + item) != ColumnStatus::kOk;
  };
  if (is_damaged()) return;
  const DescribedView column = column_of(batch, item);
  const std::uint32_t parts = column.header().parts;
  if (parts == 0) return;
  // At most kBatchPolicy.check_blocks blocks a column: their threads are few.
  const std::uint32_t worker =
      blockIdx.x % blocks_per_item * kBatchPolicy.check_threads + threadIdx.x;
  const PartShare share = share_of(worker, blocks_per_item * kBatchPolicy.check_threads, parts);
  for (std::uint64_t i = share.first_part; i < parts; i += share.part_step) {
    if (is_damaged()) return;
    const auto number = static_cast<std::uint32_t>(i);
    bool good = part_is_valid(column.memory, number);
    if (good) {
      const PartView part = column.part(number);
      good = Kind::frame_fault(part) == nullptr;
      const std::uint32_t units = good ? Kind::units(part) : 0;
      // Below 2^30 both: no sum overflows.
      for (std::uint32_t unit = share.first_unit; good && unit < units; unit += share.unit_step) {
        good = Kind::unit_fault(part, unit) == nullptr;
      }
    }
    if (!good) {
      statuses[item] = ColumnStatus::kDamaged;
      return;
    }
  }
}

static __global__ void __launch_bounds__(kBatchPolicy.check_threads)
    sizes_kernel(BatchView batch, std::uint64_t* counts, ColumnStatus* statuses) {
  const std::uint64_t item = std::uint64_t{blockIdx.x} * kBatchPolicy.check_threads + threadIdx.x;
  if (item >= batch.size) return;
  const ColumnStatus status = memory_status(batch, item);
  counts[item] = status == ColumnStatus::kOk ? column_of(batch, item).header().count : 0;
  statuses[item] = status;
}

/// Units (groups of tiles) of columns that are cut into parts of `part_values`, counted over all
/// parts, of `unit_values` each; a part's last unit may have fewer.
struct UnitCounter {
  std::uint64_t part_values;
  std::uint64_t units_per_part;
  std::uint32_t unit_values;

  GANNET_HD UnitCounter(std::uint32_t values, std::uint32_t per_unit)
      : part_values(values),
        units_per_part((values + std::uint64_t{per_unit} - 1) / per_unit),
        unit_values(per_unit) {}

  /// The unit that value `i` is in.
  GANNET_HD std::uint64_t unit_of(std::uint64_t i) const {
    return i / part_values * units_per_part + i % part_values / unit_values;
  }
};

/// Stores the wanted ones of a lane's four values, the first of which is value `at` of the column.
template <class T>
__device__ __forceinline__ void store_wanted(const Quad& quad, std::uint64_t at, ValueRange range,
                                             T* out) {
#pragma unroll
  for (std::uint32_t k = 0; k < 4; ++k) {
    if (at + k >= range.first && at + k - range.first < range.count) {
      out[at + k - range.first] = static_cast<T>(quad.value[k]);
    }
  }
}

/// One warp per group of tiles; `blocks_per_item` blocks a column. Only where parts are short has a
/// warp more than one group.
template <class Codec, class T>
__global__ void __launch_bounds__(kWritePolicy.warps* kLanes, kWriteBlocks<Codec, Content::kValues>)
    batch_tiles_kernel(BatchView batch, const ColumnStatus* statuses, std::uint32_t blocks_per_item,
                       StageLayout layout) {
  extern __shared__ uint4 shared[];
  const std::uint64_t item = blockIdx.x / blocks_per_item;
  if (statuses[item] != ColumnStatus::kOk) return;
  const DescribedView column = column_of(batch, item);
  const ValueRange range = range_of(batch, item, column.header().count);
  if (range.count == 0) return;
  const UnitCounter counter(column.header().part_values, kWriteTiles<Codec> * kTile);
  T* const out = static_cast<T*>(batch.outputs[item]);
  uint4* const memory = shared + threadIdx.x / kLanes * stage_units<Codec>(layout, 1);
  const std::uint32_t warps = blockDim.x / kLanes;
  const std::uint64_t end = counter.unit_of(range.first + range.count - 1);
  std::uint64_t unit = counter.unit_of(range.first) +
                       std::uint64_t{blockIdx.x % blocks_per_item} * warps + threadIdx.x / kLanes;
#pragma unroll 1
  for (; unit <= end; unit += std::uint64_t{blocks_per_item} * warps) {
    const auto i = static_cast<std::uint32_t>(unit / counter.units_per_part);
    const PartView part = column.part(i);
    const std::uint32_t first =
        static_cast<std::uint32_t>(unit % counter.units_per_part) * kWriteTiles<Codec>;
    const std::uint32_t last = min(first + kWriteTiles<Codec>, tile_count(part.count));
    const Group group{{part.words.words, part.count}, first, last, kBeforeFirst, 0};
    const std::uint64_t part_first = i * counter.part_values;
    write_group<Codec, Content::kValues>(
        group, layout, memory, [&](std::uint32_t tile, const Quad& quad, std::uint32_t size) {
          const std::uint64_t at = part_first + std::uint64_t{tile} * kTile;
          const bool whole = at >= range.first && at - range.first + size <= range.count &&
                             (at - range.first) % 4 == 0;
          if (whole) {
            store_tile(quad, size, out + (at - range.first));
          } else {
            store_wanted(quad, at + 4 * WarpLanes::id(), range, out);
          }
        });
  }
}

/// Units of shared memory that a chunk's decoder needs.
template <class Codec, class T>
inline constexpr std::uint32_t kScratchUnitsOf = (Codec::template scratch_words<T> + 3) / 4;

/// The part that value `i` is in; most columns have one.
__device__ __forceinline__ std::uint32_t part_of(std::uint64_t i, std::uint32_t part_values) {
  return i < part_values ? 0 : static_cast<std::uint32_t>(i / part_values);
}

/// A warp of a block of its own goes through chunks of a column, which `blocks_per_item` of them
/// share. `room` is how many values shared memory has room for behind the codec's scratch memory.
template <class Codec, class T>
__global__ void __launch_bounds__(kLanes)
    batch_chunks_kernel(BatchView batch, ColumnStatus* statuses, std::uint32_t blocks_per_item,
                        std::uint32_t room) {
  extern __shared__ uint4 shared[];
  auto* const scratch = reinterpret_cast<std::uint32_t*>(shared);
  T* const values = reinterpret_cast<T*>(shared + kScratchUnitsOf<Codec, T>);
  const std::uint64_t item = blockIdx.x / blocks_per_item;
  if (statuses[item] != ColumnStatus::kOk) return;
  const DescribedView column = column_of(batch, item);
  const ValueRange range = range_of(batch, item, column.header().count);
  if (range.count == 0) return;
  T* const out = static_cast<T*>(batch.outputs[item]);
  const std::uint32_t part_values = column.header().part_values;
  const std::uint64_t range_end = range.first + range.count;
  const std::uint32_t from_part = part_of(range.first, part_values);
  const std::uint32_t parts = part_of(range_end - 1, part_values) - from_part + 1;
  const PartShare share = share_of(blockIdx.x % blocks_per_item, blocks_per_item, parts);
  for (std::uint64_t i = share.first_part; i < parts; i += share.part_step) {
    const PartView part = column.part(from_part + static_cast<std::uint32_t>(i));
    const ListView list{part.words.words, part.count};
    const std::uint32_t chunk_values = Codec::template chunk_values<T>(list.words);
    const std::uint64_t part_first = (from_part + i) * part_values;
    const std::uint32_t chunks = chunk_count(part.count, chunk_values);
    const auto before =  // values of the part that nobody wants
        static_cast<std::uint32_t>(range.first > part_first ? range.first - part_first : 0);
    // Chunks are below 2^30, steps below 2^31: no sum overflows.
    for (std::uint32_t chunk = before / chunk_values + share.first_unit; chunk < chunks;
         chunk += share.unit_step) {
      const std::uint64_t at = part_first + std::uint64_t{chunk} * chunk_values;
      if (at >= range_end) break;
      const std::uint32_t size = chunk_size(part.count, chunk_values, chunk);
      const bool whole = at >= range.first && at - range.first + size <= range.count &&
                         (at - range.first) * sizeof(T) % kColumnUnit == 0;
      if (!whole && chunk_values > room) {
        if (WarpLanes::id() == 0) statuses[item] = ColumnStatus::kChunkTooLarge;
        return;
      }
      T* const to = whole ? out + (at - range.first) : values;
      const bool good = Codec::template decode_chunk<T>(WarpLanes{}, list, chunk, scratch, to);
      if (!good && WarpLanes::id() == 0) statuses[item] = ColumnStatus::kDamaged;
      __syncwarp();
      if (!whole && good) {
        for (std::uint32_t k = WarpLanes::id(); k < size; k += kLanes) {
          if (at + k >= range.first && at + k - range.first < range.count) {
            out[at + k - range.first] = values[k];
          }
        }
      }
      __syncwarp();
    }
  }
}

}  // namespace gannet::codecs::cuda
