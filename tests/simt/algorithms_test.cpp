// Kernels as they are usually written, in many orders: reductions, scans, histograms, a queue.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/support/random.hpp"
#include "tests/support/simt/launch.hpp"
#include "tests/support/simt/shared_memory.hpp"

namespace gannet::simt {
namespace {

GANNET_SIMT_DYNAMIC_SHARED(unsigned char, scan_memory)

constexpr std::uint32_t kAll = 0xffffffffu;

std::vector<std::uint32_t> random_words(std::size_t count) {
  test::Random random(21);
  std::vector<std::uint32_t> words(count);
  for (std::uint32_t& word : words) word = random() >> random() % 32;
  return words;
}

class Algorithms : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  Launch grid(dim3 blocks, dim3 threads, std::size_t shared = 0) const {
    return {.grid = blocks, .block = threads, .shared_bytes = shared, .seed = GetParam()};
  }
};

/// A tree in shared memory, and an atomic addition a block.
template <std::uint32_t kThreads>
__global__ void __launch_bounds__(kThreads)
    sum_kernel(const std::uint32_t* __restrict__ in, std::uint32_t count, unsigned long long* sum) {
  __shared__ unsigned long long part[kThreads];
  unsigned long long mine = 0;
  for (std::uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < count;
       i += gridDim.x * kThreads) {
    mine += __ldg(in + i);
  }
  part[threadIdx.x] = mine;
  __syncthreads();
#pragma unroll
  for (std::uint32_t half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}

TEST_P(Algorithms, SumByBlocks) {
  const auto words = random_words(10'000);
  unsigned long long sum = 0;
  launch(grid(7, 256), sum_kernel<256>, words.data(), 10'000u, &sum);
  EXPECT_EQ(sum, std::accumulate(words.begin(), words.end(), 0ull));
}

/// Scans of warps, and of the warps' sums, as block-wide scans are built.
__global__ void scan_kernel(const std::uint32_t* in, std::uint32_t* out) {
  extern __shared__ __align__(16) unsigned char scan_memory[];
  auto* const sums = reinterpret_cast<std::uint32_t*>(scan_memory);
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t warp = threadIdx.x / 32;
  std::uint32_t x = in[threadIdx.x];
  for (unsigned step = 1; step < 32; step *= 2) {
    const std::uint32_t below = __shfl_up_sync(kAll, x, step);
    if (lane >= step) x += below;
  }
  if (lane == 31) sums[warp] = x;
  __syncthreads();
  if (warp == 0) {
    std::uint32_t sum = lane < blockDim.x / 32 ? sums[lane] : 0;
    for (unsigned step = 1; step < 32; step *= 2) {
      const std::uint32_t below = __shfl_up_sync(kAll, sum, step);
      if (lane >= step) sum += below;
    }
    if (lane < blockDim.x / 32) sums[lane] = sum;
  }
  __syncthreads();
  out[threadIdx.x] = x + (warp == 0 ? 0 : sums[warp - 1]);
}

TEST_P(Algorithms, ScanOfABlock) {
  for (const std::uint32_t threads : {32u, 64u, 512u, 1024u}) {
    const auto words = random_words(threads);
    std::vector<std::uint32_t> scanned(threads);
    launch(grid(1, threads, threads / 32 * 4), scan_kernel, words.data(), scanned.data());
    std::vector<std::uint32_t> expected(threads);
    std::partial_sum(words.begin(), words.end(), expected.begin());
    EXPECT_EQ(scanned, expected);
  }
}

__global__ void histogram_kernel(const std::uint32_t* in, std::uint32_t count, unsigned* bins) {
  __shared__ unsigned mine[64];
  if (threadIdx.x < 64) mine[threadIdx.x] = 0;
  __syncthreads();
  for (std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    atomicAdd(mine + in[i] % 64, 1u);
  }
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(bins + threadIdx.x, mine[threadIdx.x]);
}

TEST_P(Algorithms, HistogramInSharedMemory) {
  const auto words = random_words(20'000);
  std::vector<unsigned> expected(64);
  for (const std::uint32_t word : words) ++expected[word % 64];
  std::vector<unsigned> bins(64);
  launch(grid(5, 128), histogram_kernel, words.data(), 20'000u, bins.data());
  EXPECT_EQ(bins, expected);
}

/// Warps take items from a queue until it is empty; the last block to end adds up what all have
/// written.
__global__ void queue_kernel(const std::uint32_t* items, unsigned count, unsigned* head,
                             unsigned long long* per_block, unsigned* done,
                             unsigned long long* total) {
  __shared__ unsigned long long sum;
  __shared__ bool last;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  const std::uint32_t lane = threadIdx.x % 32;
  for (;;) {
    unsigned item = lane == 0 ? atomicAdd(head, 1u) : 0;
    item = __shfl_sync(kAll, item, 0);
    if (item >= count) break;
    const unsigned bits = __reduce_add_sync(kAll, items[item] >> lane & 1);
    if (lane == 0) atomicAdd(&sum, static_cast<unsigned long long>(bits));
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    per_block[blockIdx.x] = sum;
    __threadfence();
    last = atomicAdd(done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    *total = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) *total += per_block[block];
  }
}

TEST_P(Algorithms, WarpsThatTakeFromAQueue) {
  const auto words = random_words(500);
  unsigned long long expected = 0;
  for (const std::uint32_t word : words) expected += static_cast<unsigned>(__popc(word));
  unsigned head = 0;
  unsigned done = 0;
  unsigned long long total = 0;
  std::vector<unsigned long long> per_block(6);
  launch(grid(6, 96), queue_kernel, words.data(), 500u, &head, per_block.data(), &done, &total);
  EXPECT_EQ(total, expected);
  EXPECT_EQ(head, 500u + 6 * 3);
}

INSTANTIATE_TEST_SUITE_P(Orders, Algorithms, ::testing::Range<std::uint64_t>(0, 8));

}  // namespace
}  // namespace gannet::simt
