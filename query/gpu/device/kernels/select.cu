#include <cuda_runtime.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <cub/block/block_merge_sort.cuh>
#include <cub/device/device_segmented_sort.cuh>

#include "codecs/base/cuda/check.hpp"
#include "codecs/base/cuda/launch.hpp"
#include "codecs/core/bits.hpp"
#include "query/gpu/device/kernels/block_select.cuh"
#include "query/gpu/plan/launch.hpp"

namespace gannet::query::cuda {
namespace {

using codecs::cuda::check;
using codecs::cuda::launch_kernel;

constexpr std::uint32_t kThreads = tuning::kSelectThreads;
using tuning::kBlockSorted;

struct Descending {
  __device__ bool operator()(std::uint64_t a, std::uint64_t b) const { return a > b; }
};

/// Up to this many keys are sorted by counting, for each key, the larger ones: a dozen steps
/// instead of a sort by the whole thread block.
constexpr std::uint32_t kRanked = 64;

__device__ void write_ranked(const std::uint64_t* keys, std::uint32_t count,
                             std::uint64_t* sorted) {
  if (threadIdx.x >= count) return;
  const std::uint64_t mine = keys[threadIdx.x];
  std::uint32_t above = 0;
  for (std::uint32_t i = 0; i < count; ++i) above += keys[i] > mine ? 1 : 0;
  sorted[above] = mine;
}

/// One thread block per query. kEach > 0: up to kThreads * kEach keys are sorted by the thread
/// block; 0: they are left unsorted.
template <int kEach>
__global__ void __launch_bounds__(kThreads) select_kernel(const __grid_constant__ SelectView view) {
  using Sort = cub::BlockMergeSort<std::uint64_t, kThreads, kEach == 0 ? 1 : kEach>;
  __shared__ typename Sort::TempStorage sort_storage;
  __shared__ std::uint64_t keys[kEach == 0 ? 1 : kThreads * kEach];
  __shared__ SelectMemory memory;
  __shared__ std::uint32_t taken;

  const SelectQuery query = view.queries[blockIdx.x];
  std::uint64_t* const selected = view.selected + std::size_t{blockIdx.x} * view.stride;
  std::uint64_t* const out = kEach == 0 ? selected : keys;
  for (std::uint32_t i = threadIdx.x; i < kDigits; i += kThreads) memory.histogram[i] = 0;
  if constexpr (kEach > 0) {
    for (int i = 0; i < kEach; ++i) keys[threadIdx.x + i * kThreads] = 0;
  }
  if (threadIdx.x == 0) taken = 0;

  __syncthreads();
  if (blockIdx.x == 0 && threadIdx.x < view.counter_count) {
    view.counters_out[threadIdx.x] = view.counters[threadIdx.x];
  }
  const KeyRange all{view.finalists + query.first_finalist, view.finalist_counts[blockIdx.x]};
  if (all.count > query.capacity) {
    if (threadIdx.x == 0) view.counts[blockIdx.x] = kLost;
    return;
  }
  const std::uint64_t least = all.count > query.k ? kth_largest<kThreads>(all, query.k, memory) : 0;
  for_each_key<kThreads>(all, [&](std::uint64_t key) {
    if (key >= least) out[atomicAdd(&taken, 1u)] = key;
  });
  __syncthreads();
  if (threadIdx.x == 0) view.counts[blockIdx.x] = taken;
  if constexpr (kEach > 0) {
    if (taken <= kRanked) return write_ranked(keys, taken, selected);
    std::uint64_t mine[kEach];
    for (int i = 0; i < kEach; ++i) mine[i] = keys[threadIdx.x * kEach + i];
    Sort(sort_storage).Sort(mine, Descending{});
    for (int i = 0; i < kEach; ++i) {
      const std::uint32_t position = threadIdx.x * kEach + i;
      if (position < taken) selected[position] = mine[i];
    }
  }
}

__global__ void ends_kernel(const __grid_constant__ SelectView view, std::int64_t* ends) {
  const std::uint32_t query = blockIdx.x * blockDim.x + threadIdx.x;
  if (query >= view.query_count) return;
  const std::uint32_t count = view.counts[query];
  ends[query] = std::int64_t{query} * view.stride + (count == kLost ? 0 : count);
}

struct TimesStride {
  std::int64_t stride;
  __host__ __device__ std::int64_t operator()(std::uint32_t query) const { return query * stride; }
};

cudaError_t sort(const SelectView& view, std::uint64_t* sorted, const std::int64_t* ends,
                 void* scratch, std::size_t& scratch_bytes, cudaStream_t stream) {
  const auto begins = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0),
                                                      TimesStride{view.stride});
  return cub::DeviceSegmentedSort::SortKeysDescending(
      scratch, scratch_bytes, view.selected, sorted,
      std::int64_t{view.query_count} * std::int64_t{view.stride}, view.query_count, begins, ends,
      stream);
}

}  // namespace

void launch_selection(const SelectView& view, CUstream_st* stream) {
  if (view.query_count == 0) return;
  auto kernel = select_kernel<0>;
  if (view.stride <= kThreads) {
    kernel = select_kernel<1>;
  } else if (view.stride <= kBlockSorted) {
    kernel = select_kernel<kBlockSorted / kThreads>;
  }
  launch_kernel({"select_kernel", view.query_count, kThreads, 0, stream}, kernel, view);
}

void launch_sort(const SelectView& view, std::uint64_t* sorted, std::int64_t* ends, void* scratch,
                 std::size_t scratch_bytes, CUstream_st* stream) {
  if (view.query_count == 0) return;
  launch_kernel({"ends_kernel", codecs::ceil_div(view.query_count, 256), 256, 0, stream},
                ends_kernel, view, ends);
  check(sort(view, sorted, ends, scratch, scratch_bytes, stream), "DeviceSegmentedSort");
}

std::size_t sort_scratch_bytes(std::uint32_t queries, std::uint32_t stride) {
  SelectView view{};
  view.query_count = queries;
  view.stride = stride;
  std::size_t bytes = 0;
  check(sort(view, nullptr, nullptr, nullptr, bytes, nullptr), "DeviceSegmentedSort");
  return bytes;
}

}  // namespace gannet::query::cuda
