// A query's threshold: a score that at least `rank` of the documents found so far have, in this
// shard of the index and, as far as they have told, in others. It follows from a histogram of their
// scores and only rises; many warps work on it at the same time.
#pragma once

#include "query/gpu/device/kernels/pruned/tiles.cuh"

namespace gannet::query::cuda {

/// Relative margin: more than what rounding changes when a score is counted.
inline constexpr float kCountingMargin = 2e-6f;

/// PrunedView::bins of a query none of whose sums of bounds is above `largest`.
__device__ inline float2 score_bins(const PrunedQuery& query, float largest) {
  // No score is above the one that the largest sum stands for.
  const float width = fmaxf(largest / query.scale * 1.0001f - query.start, 0.0f) / kScoreBins;
  return width > 1e-30f ? make_float2(1 / width, width) : make_float2(0, 0);
}

class Threshold {
 public:
  __device__ Threshold(const PrunedView& view, std::uint32_t number, const PrunedQuery& query)
      : shared_(view.thresholds + number),
        histogram_(view.histogram + number * kScoreBins),
        bins_(view.bins + number),
        start_(query.start),
        rank_(query.rank) {}

  /// The threshold that all warps have reached by now.
  __device__ float read() const {
    return __uint_as_float(*static_cast<const volatile std::uint32_t*>(shared_));
  }

  /// The bin of a score that is at least the start.
  __device__ std::uint32_t bin_of(float score) const {
    const float bin = __fmul_rn(__fsub_rn(score, start_), bins_->x);
    return static_cast<std::uint32_t>(fminf(bin, kScoreBins - 1));
  }
  __device__ void count(float score) const { add(bin_of(score), 1); }
  __device__ void add(std::uint32_t bin, std::uint32_t count) const {
    atomicAdd(histogram_ + bin, count);
  }

  /// Raises the threshold to the lower end of the bin that the score of this rank is in. Called by
  /// a converged warp.
  __device__ void raise() const {
    constexpr std::uint32_t kEach = kScoreBins / kLanes;
    // Lane i owns the bins 255 - 8i .. 248 - 8i, so that lanes go from high to low.
    const std::uint32_t lowest = kScoreBins - kEach * (WarpLanes::id() + 1);
    // Other warps count meanwhile. Counts only grow, so an old count gives a lower threshold, which
    // is valid too.
    std::uint32_t counts[kEach];
#pragma unroll
    for (std::uint32_t j = 0; j < kEach; ++j) {
      counts[j] = *static_cast<const volatile std::uint32_t*>(histogram_ + lowest + j);
    }
    WarpLanes::Var<std::uint32_t> above;
    above.value = 0;
#pragma unroll
    for (const std::uint32_t count : counts) above.value += count;
    const std::uint32_t mine = above.value;
    WarpLanes{}.exclusive_scan(above);
    if (above.value >= rank_ || above.value + mine < rank_) return;
    std::uint32_t bin = lowest;
    std::uint32_t seen = above.value;
#pragma unroll
    for (std::uint32_t j = kEach; j-- > 0;) {
      if (seen < rank_) bin = lowest + j;
      seen += counts[j];
    }
    const float edge = __fmul_rn(__fadd_rn(start_, __fmul_rn(static_cast<float>(bin), bins_->y)),
                                 1.0f - kCountingMargin);
    if (edge > start_) atomicMax(shared_, __float_as_uint(edge));
  }

 private:
  std::uint32_t* shared_;
  std::uint32_t* histogram_;
  const float2* bins_;
  float start_;
  std::uint32_t rank_;
};

}  // namespace gannet::query::cuda
