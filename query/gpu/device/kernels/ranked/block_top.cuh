// A thread block's candidates for the top k: an append-only buffer in device memory that is cut
// down to the k best when it is full; the k-th best then is the threshold that further candidates
// must beat. Thread blocks with the same query share their thresholds.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "codecs/core/lanes.hpp"
#include "query/gpu/device/kernels/block_select.cuh"

namespace gannet::query::cuda {

/// Shared memory of a BlockTop.
struct TopMemory {
  SelectMemory select;  ///< its histogram is 0 before the first BlockTop
  std::uint32_t count;  ///< of the keys
  std::uint32_t first;
};

/// Functions are called by all threads of the block, but for append(). Those that read count() have
/// a barrier between them and append().
template <std::uint32_t kThreads>
class BlockTop {
 public:
  /// `keys`: room for `capacity`. `shared`: the threshold that thread blocks share.
  __device__ BlockTop(std::uint64_t* keys, std::uint64_t capacity, std::uint64_t* shared,
                      std::uint32_t k, TopMemory& memory)
      : memory_(memory), keys_(keys), shared_(shared), capacity_(capacity), k_(k) {
    if (threadIdx.x == 0) memory_.count = 0;
    __syncthreads();
  }

  /// The threshold that all thread blocks have reached by now. Threads may get different ones.
  __device__ std::uint64_t reached() const {
    return max(threshold_, *static_cast<volatile std::uint64_t*>(shared_));
  }
  /// Takes over a threshold, the same in all threads.
  __device__ void raise(std::uint64_t threshold) { threshold_ = max(threshold_, threshold); }

  /// Whether a document with this key may still be among the k best.
  __device__ bool admits(std::uint64_t key) const { return key > threshold_; }
  /// Bits of the least score that may be admitted.
  __device__ std::uint32_t least_score() const {
    return static_cast<std::uint32_t>(threshold_ >> 32);
  }

  /// Makes room for `more` keys.
  __device__ void make_room(std::uint32_t more) {
    if (std::uint64_t{memory_.count} + more > capacity_) shrink();
  }

  /// Appends up to four keys of each lane of a converged warp, in any order; 0 stands for none.
  __device__ void append(const std::uint64_t (&keys)[4]) {
    codecs::WarpLanes::Var<std::uint32_t> rank{0};
    for (const std::uint64_t key : keys) rank.value += key != 0 ? 1 : 0;
    if (!__any_sync(codecs::WarpLanes::kAll, rank.value != 0)) return;
    const std::uint32_t added = codecs::WarpLanes{}.exclusive_scan(rank);
    std::uint32_t position = rank.value + take(&memory_.count, added);
    for (const std::uint64_t key : keys) {
      if (key != 0) keys_[position++] = key;
    }
  }

  /// Appends what may still be among the query's k best, at most k keys, to its finalists.
  __device__ void finish(std::uint64_t* finalists, std::uint32_t* finalist_count) {
    __syncthreads();
    if (memory_.count > k_) shrink();
    if (threadIdx.x == 0) memory_.select.prefix = reached();
    __syncthreads();
    keep_from(memory_.select.prefix);
    const std::uint32_t count = memory_.count;
    if (threadIdx.x == 0) memory_.first = atomicAdd(finalist_count, count);
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < count; i += kThreads) {
      finalists[memory_.first + i] = keys_[i];
    }
    __syncthreads();
  }

 private:
  /// Adds a warp's sum; returns what was there before, to all lanes.
  __device__ static std::uint32_t take(std::uint32_t* sum, std::uint32_t added) {
    std::uint32_t before = 0;
    if (codecs::WarpLanes::id() == 0) before = atomicAdd(sum, added);
    return __shfl_sync(codecs::WarpLanes::kAll, before, 0);
  }

  /// Cuts the buffer down to the k best and raises the threshold.
  __device__ void shrink() {
    const std::uint32_t count = memory_.count;
    __syncthreads();
    if (count <= k_) return;
    const std::uint64_t kth = kth_largest<kThreads>({keys_, count}, k_, memory_.select);
    if (threadIdx.x == 0) {
      atomicMax(reinterpret_cast<unsigned long long*>(shared_),
                static_cast<unsigned long long>(kth));
    }
    raise(kth);
    keep_from(kth);
  }

  /// Keeps the keys that are at least `least`, in place: those of a round are read before any is
  /// written, further down.
  __device__ void keep_from(std::uint64_t least) {
    constexpr std::uint32_t kEach = 4;
    const std::uint32_t count = memory_.count;
    __syncthreads();
    if (threadIdx.x == 0) memory_.count = 0;
    for (std::uint32_t first = 0; first < count; first += kEach * kThreads) {
      std::uint64_t kept[kEach];
#pragma unroll
      for (std::uint32_t i = 0; i < kEach; ++i) {
        const std::uint32_t at = first + i * kThreads + threadIdx.x;
        kept[i] = at < count ? keys_[at] : 0;
        if (kept[i] < least) kept[i] = 0;
      }
      __syncthreads();
      append(kept);
    }
    __syncthreads();
  }

  TopMemory& memory_;
  std::uint64_t* const keys_;
  std::uint64_t* const shared_;
  const std::uint64_t capacity_;
  const std::uint32_t k_;
  std::uint64_t threshold_ = 0;
};

}  // namespace gannet::query::cuda
