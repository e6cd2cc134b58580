#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <type_traits>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/chunk_codecs.hpp"
#include "codecs/device/batch.hpp"
#include "codecs/device/decode/batch_kernels.cuh"
#include "codecs/device/detail/persistent.cuh"
#include "codecs/device/detail/tuning.hpp"
#include "codecs/tile_codecs.hpp"

namespace gannet::codecs::cuda {
namespace {

/// What the launches below are given.
struct Job {
  const BatchPlan& plan;
  const BatchView& batch;
  ColumnStatus* statuses;
  cudaStream_t stream;
};

/// Thread blocks for `size` items of `each` blocks. Throws UsageError if that is more than a launch
/// can have.
std::uint32_t blocks_for_items(std::uint64_t size, std::uint64_t each) {
  if (each > kMaxBlocks || size > kMaxBlocks / std::max<std::uint64_t>(each, 1)) {
    throw UsageError("a batch of " + std::to_string(size) +
                     " columns is too large for one launch (" + std::to_string(each) +
                     " thread blocks each; launch several, or say how many "
                     "values the longest column really has)");
  }
  return static_cast<std::uint32_t>(size * each);
}

template <class Kind>
void check_columns(const Job& job, bool with_outputs) {
  constexpr std::uint32_t kThreads = kBatchPolicy.check_threads;
  const std::uint64_t size = job.batch.size;
  launch_kernel({"check_headers_kernel", blocks_for_items((size + kThreads - 1) / kThreads, 1),
                 kThreads, 0, job.stream},
                check_headers_kernel, job.batch, job.plan, with_outputs, job.statuses);
  if (job.plan.trusted) return;
  // Many columns: a block each. Few: enough blocks to fill the device.
  const auto each = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      kBatchPolicy.check_blocks / std::max<std::uint64_t>(size, 1), 1, kBatchPolicy.check_blocks));
  launch_kernel({"check_parts_kernel", blocks_for_items(size, each), kThreads, 0, job.stream},
                check_parts_kernel<Kind>, job.batch, each, job.statuses);
}

template <class Codec, class T>
void decode_tiles_of(const Job& job) {
  const StageLayout layout = write_layout<Codec>(0);
  const std::size_t bytes = stage_units<Codec>(layout, 1) * sizeof(uint4);
  const std::uint32_t warps = write_warps<Codec>(0, bytes);
  // A range may begin and end in the middle of a group.
  constexpr std::uint64_t kUnit = std::uint64_t{kWriteTiles<Codec>} * kTile;
  const std::uint64_t units = job.plan.most_values / kUnit + 2;
  const std::uint64_t each = (units + warps - 1) / warps;
  launch_kernel({"batch_tiles_kernel", blocks_for_items(job.batch.size, each), warps * kLanes,
                 warps * bytes, job.stream},
                batch_tiles_kernel<Codec, T>, job.batch, job.statuses,
                static_cast<std::uint32_t>(each), layout);
}

template <class Codec, class T>
void decode_chunks_of(const Job& job) {
  constexpr std::size_t kScratch = kScratchUnitsOf<Codec, T> * sizeof(uint4);
  // Chunks are decoded in place unless a range cuts them off.
  const bool ranged = job.batch.ranges != nullptr && kScratch < kUsualDynamicShared;
  const std::size_t bytes = ranged ? kUsualDynamicShared : kScratch;
  const auto room = static_cast<std::uint32_t>((bytes - kScratch) / sizeof(T));
  // How long chunks are is known on the device alone.
  const std::uint64_t each = std::max<std::uint64_t>(
      1, std::min<std::uint64_t>(job.plan.most_values / kBatchPolicy.chunk_values + 1,
                                 kMaxBlocks / std::max<std::uint64_t>(job.batch.size, 1)));
  const auto kernel = batch_chunks_kernel<Codec, T>;
  allow_shared(kernel, bytes);
  launch_kernel(
      {"batch_chunks_kernel", blocks_for_items(job.batch.size, each), kLanes, bytes, job.stream},
      kernel, job.batch, job.statuses, static_cast<std::uint32_t>(each), room);
}

/// How batches of a codec and a type are checked and decoded; null if they are not.
struct Entry {
  void (*check)(const Job&, bool with_outputs) = nullptr;
  void (*decode)(const Job&) = nullptr;
};

template <class Codec, class Any>
void find_tile([[maybe_unused]] CodecId id, [[maybe_unused]] Entry& entry) {
  if constexpr (sizeof(Any) <= 4) {
    if (Codec::id == id) {
      entry = {check_columns<TilesOf<Codec, std::uint32_t>>,
               decode_tiles_of<Codec, std::make_unsigned_t<Any>>};
    }
  }
}

template <class Any, class... Codec>
void find_tiles(CodecId id, Entry& entry, std::tuple<Codec...>*) {
  (find_tile<Codec, Any>(id, entry), ...);
}

template <class Codec, class Any>
void find_chunk([[maybe_unused]] CodecId id, [[maybe_unused]] Entry& entry) {
  if constexpr (Codec::template takes<Any>) {
    if (Codec::id == id) {
      entry = {check_columns<ChunksOf<Codec, Any>>,
               decode_chunks_of<Codec, std::make_unsigned_t<Any>>};
    }
  }
}

template <class Any, class... Codec>
void find_chunks(CodecId id, Entry& entry, std::tuple<Codec...>*) {
  (find_chunk<Codec, Any>(id, entry), ...);
}

Entry find(CodecId id, ValueType type) {
  Entry entry;
  with_value_type(type, [&]<class Any>() {
    find_tiles<Any>(id, entry, static_cast<TileCodecs*>(nullptr));
    find_chunks<Any>(id, entry, static_cast<ChunkCodecs*>(nullptr));
  });
  return entry;
}

Entry need(CodecId id, ValueType type) {
  const Entry entry = find(id, type);
  if (entry.check != nullptr) return entry;
  throw UsageError("codec " + std::to_string(static_cast<std::uint32_t>(id)) +
                   " does not decode batches of " + std::string(name_of(type)) +
                   " on the device (use the cpu back end)");
}

void check_given(const BatchView& batch, const ColumnStatus* statuses) {
  if (batch.columns != nullptr && batch.column_bytes != nullptr && statuses != nullptr) return;
  throw UsageError("a batch needs columns, their sizes and a place for statuses");
}

}  // namespace

bool decodes_batches(CodecId codec, ValueType type) { return find(codec, type).check != nullptr; }

void decode_batch_async(const BatchPlan& plan, const BatchView& batch, ColumnStatus* statuses,
                        Stream stream) {
  const Entry entry = need(plan.codec, plan.type);
  if (batch.size == 0) return;
  check_given(batch, statuses);
  if (batch.outputs == nullptr || batch.output_bytes == nullptr) {
    throw UsageError("a batch that is decoded needs outputs and their sizes");
  }
  const DeviceGuard guard(device_of(batch.columns));
  const Job job{plan, batch, statuses, stream};
  entry.check(job, true);
  entry.decode(job);
}

void validate_batch_async(CodecId codec, ValueType type, const BatchView& batch,
                          ColumnStatus* statuses, Stream stream) {
  const Entry entry = need(codec, type);
  if (batch.size == 0) return;
  check_given(batch, statuses);
  const DeviceGuard guard(device_of(batch.columns));
  const BatchPlan plan{codec, type};
  entry.check({plan, batch, statuses, stream}, false);
}

void get_sizes_async(const BatchView& batch, std::uint64_t* counts, ColumnStatus* statuses,
                     Stream stream) {
  if (batch.size == 0) return;
  check_given(batch, statuses);
  const DeviceGuard guard(device_of(batch.columns));
  constexpr std::uint32_t kThreads = kBatchPolicy.check_threads;
  launch_kernel({"sizes_kernel", blocks_for_items((batch.size + kThreads - 1) / kThreads, 1),
                 kThreads, 0, stream},
                sizes_kernel, batch, counts, statuses);
}

}  // namespace gannet::codecs::cuda
