// Exchange between the two waves, for plans that other shards search too: tells them the scores
// that the first wave has found, and raises the threshold by the scores that they have found.
#pragma once

#include "query/gpu/device/kernels/pruned/threshold.cuh"
#include "query/gpu/plan/shared_scores.hpp"

namespace gannet::query::cuda {

inline constexpr std::uint32_t kExchangeThreads = 64;
static_assert(kScoreBins == 8 * kLanes);

/// The exchange for one query. All members are called by a converged warp.
class ScoreExchange {
 public:
  __device__ ScoreExchange(const PrunedView& view, std::uint32_t number)
      : shared_(view.shared),
        query_(view.queries[number]),
        histogram_(view.histogram + std::size_t{number} * kScoreBins + 8 * WarpLanes::id()),
        bins_(view.bins[number]),
        bits_(view.thresholds + number),
        threshold_(view, number, query_) {}

  __device__ void give() const {
    const std::size_t entry = shared_.entry(shared_.mine, query_.number);
    std::uint32_t pairs[4];
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      pairs[i] = min(histogram_[2 * i], kMax) | min(histogram_[2 * i + 1], kMax) << 16;
    }
    eights(entry) = make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]);
    if (WarpLanes::id() == 0) {
      shared_.scales[entry] = make_float4(query_.start, bins_.y, __uint_as_float(*bits_), 0);
    }
    __syncwarp();
    if (WarpLanes::id() != 0) return;
    __threadfence_system();  // makes the writes of all lanes visible to other devices
    state(entry) = shared_.given();
  }

  /// Raises the threshold by the scores of the other shards. Waits about `nanoseconds` in all, at
  /// most.
  __device__ void take(std::uint32_t nanoseconds) const {
    bool any = false;
    for (std::uint32_t shard = 0; shard < shared_.shards; ++shard) {
      if (shard == shared_.mine) continue;
      const std::size_t entry = shared_.entry(shard, query_.number);
      if (!is_given(entry, nanoseconds)) continue;
      add(entry);
      any = true;
    }
    __syncwarp();
    if (any) threshold_.raise();
  }

 private:
  static constexpr std::uint32_t kMax = 0xffff;
  static constexpr std::uint32_t kFirstPause = 500;  ///< ns
  static constexpr std::uint32_t kLastPause = 8000;

  __device__ volatile std::uint32_t& state(std::size_t entry) const {
    return shared_.states[entry];
  }
  /// Bins 8 i to 8 i + 7, for lane i.
  __device__ uint4& eights(std::size_t entry) const {
    return reinterpret_cast<uint4*>(shared_.counts + entry * kScoreBins)[WarpLanes::id()];
  }

  /// Waits for an entry, and subtracts the time that it takes from the time that is left.
  __device__ bool is_given(std::size_t entry, std::uint32_t& left) const {
    std::uint32_t now = 0;
    if (WarpLanes::id() == 0) {
      for (std::uint32_t pause = kFirstPause;; pause = min(2 * pause, kLastPause)) {
        now = state(entry);
        if (now == shared_.given() || now == shared_.closed() || left < pause) break;
        __nanosleep(pause);
        left -= pause;
      }
      __threadfence_system();
    }
    __syncwarp();
    left = __shfl_sync(WarpLanes::kAll, left, 0);
    return __shfl_sync(WarpLanes::kAll, now, 0) == shared_.given();
  }

  /// Counts each of a shard's documents with the smallest score of its bin. Threshold::raise()
  /// subtracts a margin, so that the threshold is certain.
  __device__ void add(std::size_t entry) const {
    const float4 scale = __ldcv(shared_.scales + entry);
    const uint4 read = __ldcv(&eights(entry));
    const std::uint32_t pairs[4] = {read.x, read.y, read.z, read.w};
#pragma unroll
    for (std::uint32_t i = 0; i < 8; ++i) {
      const std::uint32_t count = pairs[i / 2] >> (16 * (i % 2)) & kMax;
      const auto bin = static_cast<float>(8 * WarpLanes::id() + i);
      const float least =
          __fmul_rn(__fadd_rn(scale.x, __fmul_rn(bin, scale.y)), 1.0f - kCountingMargin);
      if (count > 0 && least >= query_.start) threshold_.add(threshold_.bin_of(least), count);
    }
    if (WarpLanes::id() == 0) atomicMax(bits_, __float_as_uint(scale.z));
  }

  const SharedScores& shared_;
  const PrunedQuery& query_;
  const std::uint32_t* const histogram_;
  const float2 bins_;
  std::uint32_t* const bits_;
  const Threshold threshold_;
};

/// One warp per query. Lets no later kernel start early: it would take the multiprocessors from the
/// other batches while this one waits.
static __global__ void __launch_bounds__(kExchangeThreads)
    exchange_scores_kernel(const __grid_constant__ PrunedView view, std::uint32_t nanoseconds) {
  const std::uint32_t query = (blockIdx.x * blockDim.x + threadIdx.x) / kLanes;
  if (query >= view.queries_count || !view.shared.has(view.queries[query].number)) return;
  const ScoreExchange exchange(view, query);
  exchange.give();
  exchange.take(nanoseconds);
}

}  // namespace gannet::query::cuda
