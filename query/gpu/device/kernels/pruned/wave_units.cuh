// The superblocks of a first wave as units, each of one segment.
#pragma once

#include <cstdint>

#include "codecs/core/bits.hpp"
#include "query/gpu/device/kernels/pruned/segments.cuh"

namespace gannet::query::cuda {

/// Cuts superblocks, which are sorted by their sums, into units of first_superblocks. A unit is of
/// one segment, whose superblocks keep their order. The first units of all segments come before the
/// second ones, so that the best superblocks still come first. Called by a thread block.
class WaveUnits {
 public:
  struct Memory {
    std::uint32_t counts[kMaxBatchSegments];  ///< superblocks of a segment
  };

  /// `ranks`: shared memory for `count` numbers.
  __device__ WaveUnits(const PrunedView& view, Memory& memory, const std::uint32_t* superblocks,
                       std::uint32_t* ranks, std::uint32_t count)
      : view_(view),
        each_(view.first_superblocks),
        counts_(memory.counts),
        superblocks_(superblocks),
        ranks_(ranks),
        count_(count) {}

  /// Writes the units, and returns the number of entries.
  __device__ std::uint32_t write(std::uint32_t* entries) const {
    // One thread per segment: there are some hundred superblocks.
    if (threadIdx.x < view_.segment_count) rank(threadIdx.x);
    __syncthreads();
    for (std::uint32_t i = threadIdx.x; i < count_; i += blockDim.x) {
      const std::uint32_t segment = segment_of_superblock(view_, superblocks_[i]);
      entries[place(segment, ranks_[i])] = superblocks_[i];
    }
    if (threadIdx.x < view_.segment_count) fill_up(threadIdx.x, entries);
    std::uint32_t units = 0;
    for (std::uint32_t s = 0; s < view_.segment_count; ++s) units += units_of(s);
    return units * each_;
  }

 private:
  /// Numbers the superblocks of a segment.
  __device__ void rank(std::uint32_t segment) const {
    const std::uint32_t first = view_.segments[segment].first_superblock;
    std::uint32_t before = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
      // Superblocks before the segment wrap around to very large numbers.
      if (superblocks_[i] - first < view_.segments[segment].superblocks) ranks_[i] = before++;
    }
    counts_[segment] = before;
  }

  __device__ std::uint32_t units_of(std::uint32_t segment) const {
    return codecs::ceil_div(counts_[segment], each_);
  }

  /// Where a segment's superblock of this number goes.
  __device__ std::uint32_t place(std::uint32_t segment, std::uint32_t rank) const {
    const std::uint32_t unit = rank / each_;
    std::uint32_t before = 0;
    for (std::uint32_t s = 0; s < view_.segment_count; ++s) {
      before += min(units_of(s), unit + (s < segment ? 1 : 0));
    }
    return before * each_ + rank % each_;
  }

  __device__ void fill_up(std::uint32_t segment, std::uint32_t* entries) const {
    const std::uint32_t count = counts_[segment];
    if (count % each_ == 0) return;
    std::uint32_t* const unit = entries + place(segment, count - 1) / each_ * each_;
    for (std::uint32_t i = count % each_; i < each_; ++i) unit[i] = kNone;
  }

  const PrunedView& view_;
  const std::uint32_t each_;
  std::uint32_t* const counts_;
  const std::uint32_t* const superblocks_;
  std::uint32_t* const ranks_;
  const std::uint32_t count_;
};

}  // namespace gannet::query::cuda
