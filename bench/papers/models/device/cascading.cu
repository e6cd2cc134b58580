#include <cuda_runtime.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <cstddef>
#include <cub/device/device_scan.cuh>
#include <cuda/std/functional>

#include "bench/papers/models/cascading.hpp"
#include "codecs/columns/gpu_for.hpp"
#include "codecs/core/bits.hpp"
#include "codecs/device/memory.hpp"
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

// Blocks of 128 in four miniblocks (gpu-for, gpu-dfor): a thread a value.

/// First layer: the packed numbers.
__global__ void __launch_bounds__(kThreads)
    unpack_minis(const std::uint32_t* words, std::uint32_t count, std::uint32_t* out) {
  const std::uint32_t i = index_of_thread();
  if (i >= count) return;
  const std::uint32_t* start = words + words[GpuFor::kHeaderWords + i / kTile];
  const std::uint32_t mini = i % kTile / GpuFor::kMiniSize;
  const std::uint32_t width = start[1] >> 8 * mini & 0xff;
  const std::uint32_t* packed = start + 2 + (start[1] * 0x01010100u >> 8 * mini & 0xff);
  out[i] = extract(packed, i % GpuFor::kMiniSize * width, width);
}

/// Second layer: the references of the blocks.
__global__ void __launch_bounds__(kThreads)
    add_references(const std::uint32_t* words, std::uint32_t count, const std::uint32_t* in,
                   std::uint32_t* out) {
  const std::uint32_t i = index_of_thread();
  if (i < count) out[i] = in[i] + words[words[GpuFor::kHeaderWords + i / kTile]];
}

constexpr std::uint32_t kChain = GpuDfor::chain * kTile;

/// The same for deltas; a chain starts with its first value instead of its first delta, 0.
__global__ void __launch_bounds__(kThreads)
    add_delta_references(const std::uint32_t* words, std::uint32_t count, const std::uint32_t* in,
                         std::uint32_t* out) {
  const std::uint32_t i = index_of_thread();
  if (i >= count) return;
  const std::uint32_t* start = words + words[GpuDfor::kHeaderWords + i / kTile];
  out[i] = i % kChain == 0 ? start[-1] : in[i] + start[0];
}

/// Which chain a value belongs to.
struct ChainOf {
  __host__ __device__ std::uint32_t operator()(std::uint32_t i) const { return i / kChain; }
};
using Chains = thrust::transform_iterator<ChainOf, thrust::counting_iterator<std::uint32_t>>;

// Blocks of 512 in runs (gpu-rfor): a warp a block, up to the number of its runs.

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

/// A value's run is the number of marks up to it.
__global__ void __launch_bounds__(kThreads)
    gather_values(const std::uint32_t* marks_so_far, const std::uint32_t* values,
                  std::uint32_t count, std::uint32_t* out) {
  const std::uint32_t i = index_of_thread();
  if (i < count) out[i] = values[marks_so_far[i] - 1];
}

/// Bytes of work space that CUB's scans need for `count` values.
std::size_t scan_bytes(std::uint32_t count) {
  std::size_t plain = 0;
  std::size_t by_key = 0;
  std::uint32_t* none = nullptr;
  check(cub::DeviceScan::InclusiveSum(nullptr, plain, none, none, count), "InclusiveSum");
  const Chains chains(thrust::counting_iterator<std::uint32_t>(0), ChainOf{});
  check(cub::DeviceScan::InclusiveSumByKey(nullptr, by_key, chains, none, none, count),
        "InclusiveSumByKey");
  return std::max(plain, by_key);
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
    unpack_minis<<<blocks_for(count), kThreads, 0, stream>>>(words, count, to);
    check_launch("unpack_minis");
  }

  void decode_for(std::uint32_t* out, cudaStream_t stream) {
    unpack(first.data(), stream);
    add_references<<<blocks_for(count), kThreads, 0, stream>>>(words, count, first.data(), out);
    check_launch("add_references");
  }

  void decode_dfor(std::uint32_t* out, cudaStream_t stream) {
    unpack(first.data(), stream);
    add_delta_references<<<blocks_for(count), kThreads, 0, stream>>>(words, count, first.data(),
                                                                     second.data());
    check_launch("add_delta_references");
    const Chains chains(thrust::counting_iterator<std::uint32_t>(0), ChainOf{});
    std::size_t bytes = scan_space.size();
    check(cub::DeviceScan::InclusiveSumByKey(scan_space.data(), bytes, chains, second.data(), out,
                                             count, ::cuda::std::equal_to<>{}, stream),
          "InclusiveSumByKey");
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
    gather_values<<<blocks_for(count), kThreads, 0, stream>>>(second.data(), run_values.data(),
                                                              count, out);
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

std::uint32_t CascadingDecoder::passes() const {
  return impl_->codec == GpuFor::id ? 2 : impl_->codec == GpuDfor::id ? 3 : 8;
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
