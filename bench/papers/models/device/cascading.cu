#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cub/device/device_scan.cuh>

#include "bench/papers/models/cascading.hpp"
#include "codecs/base/cuda/memory.hpp"
#include "codecs/columns/gpu_for.hpp"
#include "codecs/core/bits.hpp"
#include "codecs/gpu_rfor/gpu_rfor.hpp"
#include "codecs/lists/gpu_dfor.hpp"

namespace gannet::codecs::papers {
namespace {

using cuda::check;
using cuda::check_launch;
using cuda::DeviceArray;

constexpr std::uint32_t kThreads = 256;

std::uint32_t blocks_for(std::uint64_t values) {
  return static_cast<std::uint32_t>((values + kThreads - 1) / kThreads);
}

__device__ __forceinline__ std::uint32_t index_of_thread() {
  return blockIdx.x * kThreads + threadIdx.x;
}

// Blocks of 128 in four miniblocks (gpu-for, gpu-dfor): a warp takes four of them, four values a
// lane of each, all of whose loads are on their way before the first is used; whole quads are read
// and written by 16 bytes.

constexpr std::uint32_t kWarpTiles = 4;

std::uint32_t blocks_for_tiles(std::uint32_t count) {
  return blocks_for(std::uint64_t{ceil_div(tile_count(count), kWarpTiles)} * kLanes);
}

/// Where a lane's quads of the warp's tiles stand. What lies beyond the last tile stands for it,
/// and is not stored.
struct QuadPlaces {
  std::uint32_t tile[kWarpTiles];
  std::uint32_t first[kWarpTiles];  ///< of the four values
  bool exists[kWarpTiles];

  __device__ explicit QuadPlaces(std::uint32_t count) {
    const std::uint32_t tiles = tile_count(count);
    const std::uint32_t from = index_of_thread() / kLanes * kWarpTiles;
#pragma unroll
    for (std::uint32_t t = 0; t < kWarpTiles; ++t) {
      exists[t] = from + t < tiles;
      tile[t] = exists[t] ? from + t : tiles - 1;
      first[t] = tile[t] * kTile + 4 * (threadIdx.x % kLanes);
    }
  }
};

__device__ __forceinline__ Quad load_values(const std::uint32_t* values, std::uint32_t first,
                                            std::uint32_t count) {
  Quad quad{};
  if (first + 4 <= count) {
    const uint4 four = *reinterpret_cast<const uint4*>(values + first);
    return {{four.x, four.y, four.z, four.w}};
  }
  for (std::uint32_t k = 0; k < 4; ++k) {
    if (first + k < count) quad.value[k] = values[first + k];
  }
  return quad;
}

__device__ __forceinline__ void store_values(const Quad& quad, std::uint32_t* values,
                                             std::uint32_t first, std::uint32_t count) {
  if (first + 4 <= count) {
    *reinterpret_cast<uint4*>(values + first) =
        make_uint4(quad.value[0], quad.value[1], quad.value[2], quad.value[3]);
    return;
  }
  for (std::uint32_t k = 0; k < 4; ++k) {
    if (first + k < count) values[first + k] = quad.value[k];
  }
}

/// First layer: the packed numbers.
__global__ void __launch_bounds__(kThreads)
    unpack_minis(const std::uint32_t* words, std::uint32_t count, std::uint32_t* out) {
  const QuadPlaces places(count);
  const std::uint32_t* starts[kWarpTiles];
  std::uint32_t widths[kWarpTiles];
  Quad quads[kWarpTiles];
#pragma unroll
  for (std::uint32_t t = 0; t < kWarpTiles; ++t) {
    starts[t] = words + words[GpuFor::kHeaderWords + places.tile[t]];
  }
#pragma unroll
  for (std::uint32_t t = 0; t < kWarpTiles; ++t) widths[t] = starts[t][1];
#pragma unroll
  for (std::uint32_t t = 0; t < kWarpTiles; ++t) {
    const std::uint32_t i = places.first[t] % kTile;
    const std::uint32_t mini = i / GpuFor::kMiniSize;
    const std::uint32_t width = widths[t] >> 8 * mini & 0xff;
    const std::uint32_t* packed = starts[t] + 2 + (widths[t] * 0x01010100u >> 8 * mini & 0xff);
#pragma unroll
    for (std::uint32_t k = 0; k < 4; ++k) {
      quads[t].value[k] = places.first[t] + k < count
                              ? extract(packed, (i + k) % GpuFor::kMiniSize * width, width)
                              : 0;
    }
  }
#pragma unroll
  for (std::uint32_t t = 0; t < kWarpTiles; ++t) {
    if (places.exists[t]) store_values(quads[t], out, places.first[t], count);
  }
}

constexpr std::uint32_t kChain = GpuDfor::chain * kTile;

/// Second layer: the references of the blocks. Those of deltas (kDeltas): a chain starts with its
/// first value instead of its first delta, 0.
template <bool kDeltas>
__global__ void __launch_bounds__(kThreads)
    add_references(const std::uint32_t* words, std::uint32_t count, const std::uint32_t* in,
                   std::uint32_t* out) {
  const QuadPlaces places(count);
  const std::uint32_t* starts[kWarpTiles];
  Quad quads[kWarpTiles];
#pragma unroll
  for (std::uint32_t t = 0; t < kWarpTiles; ++t) {
    starts[t] = words + words[GpuFor::kHeaderWords + places.tile[t]];
    quads[t] = load_values(in, places.first[t], count);
  }
#pragma unroll
  for (std::uint32_t t = 0; t < kWarpTiles; ++t) {
    const std::uint32_t reference = starts[t][0];
#pragma unroll
    for (std::uint32_t k = 0; k < 4; ++k) quads[t].value[k] += reference;
    if (kDeltas && places.first[t] % kChain == 0) quads[t].value[0] = starts[t][-1];
    if (places.exists[t]) store_values(quads[t], out, places.first[t], count);
  }
}
static_assert(GpuFor::kHeaderWords == GpuDfor::kHeaderWords);

/// Third layer of gpu-dfor: prefix sums of chains, one warp per chain.
__global__ void __launch_bounds__(kThreads)
    sum_chains(std::uint32_t count, const std::uint32_t* in, std::uint32_t* out) {
  static_assert(kChain == kWarpTiles * kTile);
  const QuadPlaces places(count);
  Quad quads[kWarpTiles];
#pragma unroll
  for (std::uint32_t t = 0; t < kWarpTiles; ++t) {
    quads[t] = load_values(in, places.first[t], count);
  }
  const std::uint32_t lane = threadIdx.x % kLanes;
  std::uint32_t before = 0;
#pragma unroll
  for (std::uint32_t t = 0; t < kWarpTiles; ++t) {
    Quad& quad = quads[t];
#pragma unroll
    for (std::uint32_t k = 1; k < 4; ++k) quad.value[k] += quad.value[k - 1];
    std::uint32_t sum = quad.value[3];
#pragma unroll
    for (std::uint32_t step = 1; step < kLanes; step *= 2) {
      const std::uint32_t other = __shfl_up_sync(WarpLanes::kAll, sum, step);
      if (lane >= step) sum += other;
    }
    const std::uint32_t base = before + sum - quad.value[3];
    before += __shfl_sync(WarpLanes::kAll, sum, kLanes - 1);
#pragma unroll
    for (std::uint32_t k = 0; k < 4; ++k) quad.value[k] += base;
    if (places.exists[t]) store_values(quad, out, places.first[t], count);
  }
}

// Blocks of 512 in runs (gpu-rfor): one warp per block, up to the number of its runs.

/// How many runs each block has.
__global__ void __launch_bounds__(kThreads)
    count_runs(const std::uint32_t* words, std::uint32_t blocks, std::uint32_t* runs) {
  const std::uint32_t j = index_of_thread();
  if (j < blocks) runs[j] = words[words[GpuRfor::kHeaderWords + j] + 2];
}

/// Unpacks one stream of runs; block j's go to out[first_run[j] ..].
__global__ void __launch_bounds__(kThreads)
    unpack_runs(const std::uint32_t* stream, std::uint32_t blocks, const std::uint32_t* first_run,
                std::uint32_t* out) {
  const std::uint32_t j = index_of_thread() / kLanes;
  if (j >= blocks) return;
  const std::uint32_t* start = stream + stream[GpuRfor::kHeaderWords + j];
#pragma unroll 4
  for (std::uint32_t i = threadIdx.x % kLanes; i < start[2]; i += kLanes) {
    const std::uint32_t width = start[1] & 0xff;
    out[first_run[j] + i] = extract(start + GpuRfor::kBlockHeader, i * width, width);
  }
}

__global__ void __launch_bounds__(kThreads)
    add_run_references(const std::uint32_t* stream, std::uint32_t blocks,
                       const std::uint32_t* first_run, const std::uint32_t* in,
                       std::uint32_t* out) {
  const std::uint32_t j = index_of_thread() / kLanes;
  if (j >= blocks) return;
  const std::uint32_t* start = stream + stream[GpuRfor::kHeaderWords + j];
#pragma unroll 4
  for (std::uint32_t i = threadIdx.x % kLanes; i < start[2]; i += kLanes) {
    out[first_run[j] + i] = in[first_run[j] + i] + start[0];
  }
}

/// Marks where runs start, given where they end.
__global__ void __launch_bounds__(kThreads)
    scatter_marks(const std::uint32_t* ends, std::uint32_t runs, std::uint32_t* marks) {
  const std::uint32_t i = index_of_thread();
  if (i < runs) marks[i == 0 ? 0 : ends[i - 1]] = 1;
}

/// A value's run is the number of marks up to it. A warp takes four tiles.
__global__ void __launch_bounds__(kThreads)
    gather_values(const std::uint32_t* marks_so_far, const std::uint32_t* values,
                  std::uint32_t count, std::uint32_t* out) {
  const QuadPlaces places(count);
  Quad quads[kWarpTiles];
#pragma unroll
  for (std::uint32_t t = 0; t < kWarpTiles; ++t) {
    quads[t] = load_values(marks_so_far, places.first[t], count);
  }
#pragma unroll
  for (std::uint32_t t = 0; t < kWarpTiles; ++t) {
#pragma unroll
    for (std::uint32_t k = 0; k < 4; ++k) {
      if (places.first[t] + k < count) quads[t].value[k] = values[quads[t].value[k] - 1];
    }
    if (places.exists[t]) store_values(quads[t], out, places.first[t], count);
  }
}

/// Bytes of work space that CUB's scans need for `count` values.
std::size_t scan_bytes(std::uint32_t count) {
  std::size_t bytes = 0;
  std::uint32_t* none = nullptr;
  check(cub::DeviceScan::InclusiveSum(nullptr, bytes, none, none, count), "InclusiveSum");
  return bytes;
}

}  // namespace

struct CascadingDecoder::Impl {
  const std::uint32_t* words;
  std::uint32_t count;
  CodecId codec;
  DeviceArray<std::byte> scan_space;
  DeviceArray<std::uint32_t> first;   // a layer's output
  DeviceArray<std::uint32_t> second;  // the next one's
  // gpu-rfor alone:
  std::uint32_t runs = 0;
  std::uint32_t lengths_stream = 0;
  DeviceArray<std::uint32_t> first_run;  // of each block
  DeviceArray<std::uint32_t> run_values;
  DeviceArray<std::uint32_t> run_lengths;

  Impl(CodecId of, const std::uint32_t* column, std::uint32_t values)
      : words(column),
        count(values),
        codec(of),
        scan_space(scan_bytes(values)),
        first(values),
        second(values) {
    if (codec == GpuRfor::id) prepare_runs();
  }

  std::uint32_t rfor_blocks() const { return ceil_div(count, GpuRfor::block); }

  /// Finds out where each block's runs go.
  void prepare_runs() {
    const std::uint32_t blocks = rfor_blocks();
    DeviceArray<std::uint32_t> counts(blocks + 1);
    check(cudaMemset(counts.data(), 0, counts.bytes()), "cudaMemset");
    first_run = DeviceArray<std::uint32_t>(blocks + 1);
    count_runs<<<blocks_for(blocks), kThreads>>>(words, blocks, counts.data());
    check_launch("count_runs");
    std::size_t bytes = 0;
    check(
        cub::DeviceScan::ExclusiveSum(nullptr, bytes, counts.data(), first_run.data(), blocks + 1),
        "ExclusiveSum");
    DeviceArray<std::byte> space(bytes);
    check(cub::DeviceScan::ExclusiveSum(space.data(), bytes, counts.data(), first_run.data(),
                                        blocks + 1),
          "ExclusiveSum");
    check(cudaMemcpy(&runs, first_run.data() + blocks, sizeof runs, cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    check(cudaMemcpy(&lengths_stream, words + GpuRfor::kHeaderWords + blocks, sizeof lengths_stream,
                     cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    run_values = DeviceArray<std::uint32_t>(runs);
    run_lengths = DeviceArray<std::uint32_t>(runs);
  }

  void unpack(std::uint32_t* to, cudaStream_t stream) {
    unpack_minis<<<blocks_for_tiles(count), kThreads, 0, stream>>>(words, count, to);
    check_launch("unpack_minis");
  }

  void decode_for(std::uint32_t* out, cudaStream_t stream) {
    unpack(first.data(), stream);
    add_references<false>
        <<<blocks_for_tiles(count), kThreads, 0, stream>>>(words, count, first.data(), out);
    check_launch("add_references");
  }

  void decode_dfor(std::uint32_t* out, cudaStream_t stream) {
    unpack(first.data(), stream);
    add_references<true><<<blocks_for_tiles(count), kThreads, 0, stream>>>(
        words, count, first.data(), second.data());
    check_launch("add_references");
    sum_chains<<<blocks_for_tiles(count), kThreads, 0, stream>>>(count, second.data(), out);
    check_launch("sum_chains");
  }

  /// Both layers of one stream of runs.
  void decode_stream(const std::uint32_t* from, std::uint32_t* to, cudaStream_t stream) {
    const std::uint32_t grid = blocks_for(std::uint64_t{rfor_blocks()} * kLanes);
    unpack_runs<<<grid, kThreads, 0, stream>>>(from, rfor_blocks(), first_run.data(), first.data());
    check_launch("unpack_runs");
    add_run_references<<<grid, kThreads, 0, stream>>>(from, rfor_blocks(), first_run.data(),
                                                      first.data(), to);
    check_launch("add_run_references");
  }

  void scan(std::uint32_t* values, std::uint32_t size, cudaStream_t stream) {
    std::size_t bytes = scan_space.size();
    check(cub::DeviceScan::InclusiveSum(scan_space.data(), bytes, values, values, size, stream),
          "InclusiveSum");
  }

  void decode_rfor(std::uint32_t* out, cudaStream_t stream) {
    decode_stream(words, run_values.data(), stream);
    decode_stream(words + lengths_stream, run_lengths.data(), stream);
    scan(run_lengths.data(), runs, stream);
    check(cudaMemsetAsync(second.data(), 0, second.bytes(), stream), "cudaMemsetAsync");
    scatter_marks<<<blocks_for(runs), kThreads, 0, stream>>>(run_lengths.data(), runs,
                                                             second.data());
    check_launch("scatter_marks");
    scan(second.data(), count, stream);
    gather_values<<<blocks_for_tiles(count), kThreads, 0, stream>>>(second.data(),
                                                                    run_values.data(), count, out);
    check_launch("gather_values");
  }
};

CascadingDecoder::CascadingDecoder(CodecId codec, const std::uint32_t* words, std::uint32_t count) {
  if (codec != GpuFor::id && codec != GpuDfor::id && codec != GpuRfor::id) {
    throw UsageError("only gpu-for, gpu-dfor and gpu-rfor are decoded layer by layer here");
  }
  impl_ = std::make_unique<Impl>(codec, words, count);
}

CascadingDecoder::~CascadingDecoder() = default;
CascadingDecoder::CascadingDecoder(CascadingDecoder&&) noexcept = default;
CascadingDecoder& CascadingDecoder::operator=(CascadingDecoder&&) noexcept = default;

std::vector<CascadingPass> CascadingDecoder::passes(std::uint64_t encoded_bytes) const {
  const double encoded = static_cast<double>(encoded_bytes);
  const double all = 4.0 * impl_->count;
  if (impl_->codec != GpuRfor::id) {
    const double heads = all / kTile * 2;  // where a block starts, and its reference
    std::vector<CascadingPass> passes{{encoded, all}, {all + heads, all}};
    if (impl_->codec == GpuDfor::id) passes.push_back({all, all});
    return passes;
  }
  const double runs = 4.0 * impl_->runs;
  return {{encoded / 2, runs}, {runs, runs}, {encoded / 2, runs},
          {runs, runs},        {runs, runs}, {0, all},
          {runs, runs},        {all, all},   {all + runs, all}};
}

void CascadingDecoder::decode_async(std::uint32_t* out, cuda::Stream stream) const {
  if (impl_->codec == GpuFor::id) {
    impl_->decode_for(out, stream);
  } else if (impl_->codec == GpuDfor::id) {
    impl_->decode_dfor(out, stream);
  } else {
    impl_->decode_rfor(out, stream);
  }
}

}  // namespace gannet::codecs::papers
