#include <cuda_runtime.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <type_traits>

#include "codecs/base/cuda/device.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/chunk_codecs.hpp"
#include "codecs/device/decode/consume.cuh"
#include "codecs/device/detail/persistent.cuh"
#include "codecs/device/detail/tuning.hpp"
#include "codecs/device/detail/write_out.cuh"
#include "codecs/device/pick.hpp"
#include "codecs/tile_codecs.hpp"

namespace gannet::codecs::cuda {
namespace {

constexpr std::uint32_t kPickWarps = kPickPolicy.warps;

/// One lane per position. Lanes whose positions lie in one tile are served by one decode of it,
/// straight from the column.
template <class Codec, class T>
__global__ void __launch_bounds__(kPickWarps* kLanes)
    pick_tiles_kernel(ListView column, const std::uint32_t* positions, std::uint32_t count,
                      T* out) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const bool mine = i < count;
  const std::uint32_t position = mine ? positions[i] : 0;
  std::uint32_t left = __ballot_sync(WarpLanes::kAll, mine);
  while (left != 0) {
    const std::uint32_t tile =
        __shfl_sync(WarpLanes::kAll, position / kTile, __ffs(static_cast<int>(left)) - 1);
    auto cursor = Codec::seek(WarpLanes{}, column, tile);
    WarpLanes::Var<Quad> quad;
    Codec::next(WarpLanes{}, column, Payload{column.words, 0}, tile, cursor, quad);
    std::uint32_t value = 0;
#pragma unroll
    for (std::uint32_t k = 0; k < 4; ++k) {
      const std::uint32_t other =
          __shfl_sync(WarpLanes::kAll, quad.value.value[k], static_cast<int>(position % kTile / 4));
      if (position % 4 == k) value = other;
    }
    const bool served = mine && position / kTile == tile;
    if (served) out[i] = static_cast<T>(value);
    left &= ~__ballot_sync(WarpLanes::kAll, served);
  }
}

/// Picks values of chunks, each decoded to shared memory. A block is one warp.
template <class Codec, class T>
__global__ void __launch_bounds__(kLanes)
    pick_chunks_kernel(ListView column, std::uint32_t chunk_values, const std::uint32_t* positions,
                       std::uint32_t count, T* out, std::uint32_t* damaged) {
  extern __shared__ uint4 shared[];
  auto* values = reinterpret_cast<T*>(shared + (Codec::template scratch_words<T> + 3) / 4);
  const std::uint32_t i = blockIdx.x * kLanes + threadIdx.x;
  const bool mine = i < count;
  const std::uint32_t position = mine ? positions[i] : 0;
  std::uint32_t left = __ballot_sync(WarpLanes::kAll, mine);
  while (left != 0) {
    const std::uint32_t chunk =
        __shfl_sync(WarpLanes::kAll, position / chunk_values, __ffs(static_cast<int>(left)) - 1);
    const bool good = Codec::template decode_chunk<T>(
        WarpLanes{}, column, chunk, reinterpret_cast<std::uint32_t*>(shared), values);
    if (!good && damaged != nullptr && WarpLanes::id() == 0) *damaged = 1;
    __syncwarp();
    const bool served = mine && position / chunk_values == chunk;
    if (served) out[i] = values[position % chunk_values];
    __syncwarp();
    left &= ~__ballot_sync(WarpLanes::kAll, served);
  }
}

/// The selection of a group of eight tiles: lane i has the bits of values 32i .. 32i+31 of it.
__device__ __forceinline__ std::uint32_t bits_of_group(const std::uint32_t* bits,
                                                       std::uint32_t count, std::uint32_t group) {
  const std::uint32_t word = group * kLanes + WarpLanes::id();
  return word < ceil_div(count, 32) ? __ldcs(bits + word) : 0;
}

/// The lane's four bits of tile `t` (0..7) of the group.
__device__ __forceinline__ std::uint32_t bits_of_quad(std::uint32_t selected, std::uint32_t t) {
  const std::uint32_t lane = WarpLanes::id();
  const std::uint32_t word =
      __shfl_sync(WarpLanes::kAll, selected, static_cast<int>(4 * t + lane / 8));
  return word >> lane % 8 * 4 & 0xf;
}

/// Decodes the tiles of a group that have a selected value; calls f(tile, quad, bits) for each.
template <class Codec, class F>
__device__ __forceinline__ void decode_selected(const Group& group, std::uint32_t selected,
                                                GroupRoom<Codec, kGroupTiles>& room, F f) {
  const std::uint32_t lanes = __ballot_sync(WarpLanes::kAll, selected != 0);
  std::uint32_t tiles = 0;  // bit t: tile t of the group has one
#pragma unroll
  for (std::uint32_t t = 0; t < kGroupTiles; ++t) {
    tiles |= ((lanes >> 4 * t & 0xf) != 0 ? 1u : 0u) << t;
  }
  if (__popc(tiles) >= kPickPolicy.stage_from) {
    const StagedTiles staged = room.fill(group);
    decode_group<Codec, kGroupTiles, Content::kValues>(
        group, staged, [&](std::uint32_t tile, const Quad& quad, std::uint32_t) {
          f(tile, quad, bits_of_quad(selected, tile - group.first));
        });
    return;
  }
  for (; tiles != 0; tiles &= tiles - 1) {
    const auto t = static_cast<std::uint32_t>(__ffs(static_cast<int>(tiles)) - 1);
    auto cursor = Codec::seek(WarpLanes{}, group.list, group.first + t);
    WarpLanes::Var<Quad> quad;
    Codec::next(WarpLanes{}, group.list, Payload{group.list.words, 0}, group.first + t, cursor,
                quad);
    f(group.first + t, quad.value, bits_of_quad(selected, t));
  }
}

template <class Codec>
inline constexpr std::uint32_t kSelectWarps =
    kPickWarps * sizeof(GroupRoom<Codec, kGroupTiles>) <= kUsualShared ? kPickWarps : 1;

/// Goes through the groups of a column; calls f(tile, quad, bits) for tiles with a selected value.
template <class Codec, class F>
__device__ __forceinline__ void go_through_selected(ListView column, const std::uint32_t* bits,
                                                    F f) {
  __shared__ GroupRoom<Codec, kGroupTiles> rooms[kSelectWarps<Codec>];
  const std::uint32_t warp = threadIdx.x / kLanes;
  const ColumnSource<kGroupTiles> source(column);
  const std::uint32_t stride = gridDim.x * kSelectWarps<Codec>;
  for (std::uint32_t i = blockIdx.x * kSelectWarps<Codec> + warp; i < source.groups; i += stride) {
    const std::uint32_t selected = bits_of_group(bits, column.count, i);
    if (!__any_sync(WarpLanes::kAll, selected != 0)) continue;
    decode_selected<Codec>(source.group(i), selected, rooms[warp], f);
  }
}

template <class Codec, class T>
__global__ void __launch_bounds__(kSelectWarps<Codec>* kLanes)
    decode_selected_kernel(ListView column, const std::uint32_t* bits, T* out) {
  go_through_selected<Codec>(
      column, bits, [&](std::uint32_t tile, const Quad& quad, std::uint32_t quad_bits) {
        const std::uint64_t first = std::uint64_t{tile} * kTile + 4 * WarpLanes::id();
        if (quad_bits == 0xf && first + 4 <= column.count) {
          store_tile(quad, kTile, out + std::uint64_t{tile} * kTile);
          return;
        }
#pragma unroll
        for (std::uint32_t k = 0; k < 4; ++k) {
          if ((quad_bits >> k & 1) != 0 && first + k < column.count) {
            out[first + k] = static_cast<T>(quad.value[k]);
          }
        }
      });
}

template <class Codec>
__global__ void __launch_bounds__(kSelectWarps<Codec>* kLanes)
    sum_selected_kernel(ListView column, const std::uint32_t* bits, bool is_signed,
                        ScanResult* result) {
  ScanResult mine{};
  go_through_selected<Codec>(column, bits,
                             [&](std::uint32_t tile, const Quad& quad, std::uint32_t quad_bits) {
                               const std::uint32_t size = tile_size(column.count, tile);
#pragma unroll
                               for (std::uint32_t k = 0; k < 4; ++k) {
                                 if ((quad_bits >> k & 1) == 0 || 4 * WarpLanes::id() + k >= size)
                                   continue;
                                 ++mine.count;
                                 mine.sum += widen(quad.value[k], is_signed);
                               }
                             });
  const ScanResult total = sum_block<kSelectWarps<Codec>>(mine);
  if (threadIdx.x != 0 || total.count == 0) return;
  // One addition a block of a launch that fills the device once: no crowd at one address.
  add_atomically(total, *result);
}

/// What the launches below are given.
struct Job {
  const ColumnPlan& plan;
  const std::uint32_t* words;
  const std::uint32_t* positions;  // or bits
  std::uint32_t count;             // of positions
  void* out;
  std::uint32_t* damaged;
  cudaStream_t stream;
  ListView column() const { return {words, plan.count}; }
};

template <class Codec, class T>
void pick_tiles(const Job& job) {
  const std::uint32_t blocks = ceil_div(job.count, kPickWarps * kLanes);
  launch_kernel({"pick_tiles_kernel", blocks, kPickWarps * kLanes, 0, job.stream},
                pick_tiles_kernel<Codec, T>, job.column(), job.positions, job.count,
                static_cast<T*>(job.out));
}

template <class Codec, class T>
std::size_t chunk_bytes(std::uint32_t chunk_values) {
  return (Codec::template scratch_words<T> + 3) / 4 * sizeof(uint4) +
         std::size_t{chunk_values} * sizeof(T);
}

template <class Codec, class T>
void pick_chunks(const Job& job) {
  const std::size_t bytes = chunk_bytes<Codec, T>(job.plan.chunk_values);
  launch_kernel({"pick_chunks_kernel", ceil_div(job.count, kLanes), kLanes, bytes, job.stream},
                pick_chunks_kernel<Codec, T>, job.column(), job.plan.chunk_values, job.positions,
                job.count, static_cast<T*>(job.out), job.damaged);
}

template <class Codec, class T>
void decode_selected_tiles(const Job& job) {
  const std::uint32_t groups = ceil_div(tile_count(job.plan.count), kGroupTiles);
  constexpr std::uint32_t kThreads = kSelectWarps<Codec> * kLanes;
  launch_kernel(
      {"decode_selected_kernel", ceil_div(groups, kSelectWarps<Codec>), kThreads, 0, job.stream},
      decode_selected_kernel<Codec, T>, job.column(), job.positions, static_cast<T*>(job.out));
}

template <class Codec>
void sum_selected_tiles(const Job& job) {
  const std::uint32_t groups = ceil_div(tile_count(job.plan.count), kGroupTiles);
  constexpr std::uint32_t kThreads = kSelectWarps<Codec> * kLanes;
  const auto kernel = sum_selected_kernel<Codec>;
  const std::uint32_t blocks =
      persistent_blocks(kernel, kThreads, 0, ceil_div(groups, kSelectWarps<Codec>));
  const bool is_signed = static_cast<std::uint32_t>(job.plan.type) % 2 == 1;
  launch_kernel({"sum_selected_kernel", blocks, kThreads, 0, job.stream}, kernel, job.column(),
                job.positions, is_signed, static_cast<ScanResult*>(job.out));
}

using Run = void (*)(const Job&);

struct Entry {
  Run pick = nullptr;
  Run decode_selected = nullptr;
  Run sum_selected = nullptr;
};

template <class T, class... Codec>
void find_tiles([[maybe_unused]] CodecId id, [[maybe_unused]] Entry& entry, std::tuple<Codec...>*) {
  if constexpr (sizeof(T) <= 4) {
    ((Codec::id == id ? void(entry = {pick_tiles<Codec, T>, decode_selected_tiles<Codec, T>,
                                      sum_selected_tiles<Codec>})
                      : void()),
     ...);
  }
}

template <class Codec, class T>
void find_chunk([[maybe_unused]] const ColumnPlan& plan, [[maybe_unused]] Entry& entry) {
  if constexpr (Codec::template takes<T> || Codec::template takes<std::make_signed_t<T>>) {
    if (Codec::id == plan.codec &&
        chunk_bytes<Codec, T>(plan.chunk_values) <= kUsualDynamicShared) {
      entry.pick = pick_chunks<Codec, T>;
    }
  }
}

template <class T, class... Codec>
void find_chunks([[maybe_unused]] const ColumnPlan& plan, [[maybe_unused]] Entry& entry,
                 std::tuple<Codec...>*) {
  (find_chunk<Codec, T>(plan, entry), ...);
}

Entry find(const ColumnPlan& plan) {
  Entry entry;
  if (!decodes_on_device(plan.codec, plan.type)) return entry;
  with_value_type(plan.type, [&]<class Any>() {
    using T = std::make_unsigned_t<Any>;
    find_tiles<T>(plan.codec, entry, static_cast<TileCodecs*>(nullptr));
    if (entry.pick == nullptr) find_chunks<T>(plan, entry, static_cast<ChunkCodecs*>(nullptr));
  });
  return entry;
}

/// Runs a job on the device that the words belong to, or says that it cannot be. The
/// output is to be aligned to `alignment`.
void run(Run run_job, const Job& job, std::size_t alignment) {
  if (run_job == nullptr) {
    throw UsageError("codec " + std::to_string(static_cast<std::uint32_t>(job.plan.codec)) +
                     " has no random access on the device for these values (decode the column)");
  }
  check_aligned(job.words, kWordsAlignment, "the words of a column");
  check_aligned(job.positions, sizeof(std::uint32_t), "positions or bits");
  check_aligned(job.out, alignment, "the place for picked values");
  const DeviceGuard guard(device_of(job.words));
  run_job(job);
}

}  // namespace

bool picks(const ColumnPlan& plan) { return find(plan).pick != nullptr; }

void pick_async(const ColumnPlan& plan, const std::uint32_t* words, const std::uint32_t* positions,
                std::uint32_t count, void* out, Stream stream, std::uint32_t* damaged) {
  const Run pick = find(plan).pick;
  if (count == 0) return;
  run(pick, {plan, words, positions, count, out, damaged, stream}, size_of(plan.type));
}

void decode_selected_async(const ColumnPlan& plan, const std::uint32_t* words,
                           const std::uint32_t* bits, void* out, Stream stream) {
  const Run decode = find(plan).decode_selected;
  if (plan.count == 0) return;
  run(decode, {plan, words, bits, 0, out, nullptr, stream}, kWordsAlignment);
}

void sum_selected_async(const ColumnPlan& plan, const std::uint32_t* words,
                        const std::uint32_t* bits, ScanResult* result, Stream stream) {
  const Run sum = find(plan).sum_selected;
  if (plan.count == 0) return;
  run(sum, {plan, words, bits, 0, result, nullptr, stream}, alignof(ScanResult));
}

}  // namespace gannet::codecs::cuda
