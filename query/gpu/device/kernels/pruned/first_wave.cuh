// The superblocks with which a query begins: those with the largest sums of bounds. One thread
// block per query; it also initializes the query's state.
#pragma once

#include "codecs/device/detail/overlap.cuh"
#include "query/gpu/device/kernels/pruned/limits.cuh"
#include "query/gpu/device/kernels/pruned/threshold.cuh"
#include "query/gpu/device/kernels/pruned/tiles.cuh"
#include "query/gpu/device/kernels/pruned/wave_units.cuh"
#include "query/gpu/plan/pruned/steps.hpp"

namespace gannet::query::cuda {

inline constexpr std::uint32_t kFirstWaveThreads = 512;
/// Classes of maxima by which superblocks are sorted.
inline constexpr std::uint32_t kMaximaBins = 256;

class FirstWave {
 public:
  struct Memory {
    std::uint32_t counts[kMaximaBins];
    std::uint32_t before[kMaximaBins];  ///< superblocks in the bins above
    std::uint32_t taken[kMaximaBins];
    std::uint32_t largest;
    std::uint32_t first_bin;  ///< bins from this one on are in the wave
    WaveUnits::Memory units;
  };

  /// `sorted`: bytes() bytes of shared memory.
  __device__ FirstWave(const PrunedView& view, Memory& memory, std::uint32_t* sorted)
      : view_(view),
        query_(view.queries[blockIdx.x]),
        memory_(memory),
        sorted_(sorted),
        limit_(limit_of(query_.start, query_.scale)) {}

  /// With several segments, room for superblocks and their ranks.
  static std::uint32_t bytes(const PrunedView& view) {
    return view.segment_count > 1 ? 2 * 2 * view.wave_size * 4 : 0;
  }

  __device__ void run() {
    clear();
    __syncthreads();
    find_largest();
    __syncthreads();
    const std::uint32_t largest = max(memory_.largest, limit_);
    factor_ = (kMaximaBins << 16) / (largest - limit_ + 1);
    for_each([&](std::uint32_t maximum, std::uint32_t) {
      atomicAdd(memory_.counts + bin_of(maximum), 1u);
    });
    __syncthreads();
    if (threadIdx.x < kLanes) choose_bins();
    __syncthreads();
    const std::uint32_t bin = memory_.first_bin;
    const std::uint32_t count = bin == kMaximaBins ? 0 : memory_.before[bin] + memory_.counts[bin];
    const std::uint32_t entries = take(count);
    if (threadIdx.x == 0) start_query(memory_.largest, entries);
  }

 private:
  static constexpr std::uint32_t kInFlight = 3;

  __device__ void clear() {
    for (std::uint32_t i = threadIdx.x; i < kMaximaBins; i += kFirstWaveThreads) {
      memory_.counts[i] = 0;
      memory_.taken[i] = 0;
    }
    for (std::uint32_t i = threadIdx.x; i < kScoreBins; i += kFirstWaveThreads) {
      view_.histogram[blockIdx.x * kScoreBins + i] = 0;
    }
    if (threadIdx.x != 0) return;
    memory_.largest = 0;
    memory_.first_bin = kMaximaBins;
  }

  /// Calls f(maximum, superblock) for the superblocks that may matter; several loads in flight.
  template <class F>
  __device__ void for_each(F f) const {
    const auto* const eights =
        reinterpret_cast<const uint4*>(view_.maxima + std::size_t{blockIdx.x} * view_.superblocks);
    const std::uint32_t count = view_.superblocks / 8;
    for (std::uint32_t first = threadIdx.x; first < count; first += kInFlight * kFirstWaveThreads) {
      uint4 read[kInFlight];
#pragma unroll
      for (std::uint32_t j = 0; j < kInFlight; ++j) {
        const std::uint32_t i = first + j * kFirstWaveThreads;
        read[j] = i < count ? eights[i] : make_uint4(0, 0, 0, 0);
      }
#pragma unroll
      for (std::uint32_t j = 0; j < kInFlight; ++j)
        visit(read[j], first + j * kFirstWaveThreads, f);
    }
  }

  template <class F>
  __device__ void visit(const uint4& eight, std::uint32_t i, F& f) const {
    const std::uint32_t words[4] = {eight.x, eight.y, eight.z, eight.w};
#pragma unroll
    for (std::uint32_t j = 0; j < 4; ++j) {
      const std::uint32_t low = words[j] & 0xffff;
      const std::uint32_t high = words[j] >> 16;
      if (low >= limit_) f(low, i * 8 + 2 * j);
      if (high >= limit_) f(high, i * 8 + 2 * j + 1);
    }
  }

  __device__ void find_largest() {
    std::uint32_t largest = 0;
    for_each([&](std::uint32_t maximum, std::uint32_t) { largest = max(largest, maximum); });
    largest = WarpLanes::greatest(largest);
    if (WarpLanes::id() == 0 && largest > 0) atomicMax(&memory_.largest, largest);
  }

  __device__ std::uint32_t bin_of(std::uint32_t maximum) const {
    return ((maximum - limit_) * factor_) >> 16;
  }

  /// Takes the best bins until they have wave_size superblocks. The last bin is left out if they
  /// would then be more than twice as many.
  __device__ void choose_bins() {
    constexpr std::uint32_t kEach = kMaximaBins / kLanes;
    // Lane i owns the bins 255 - 8i .. 248 - 8i, so that lanes go from high to low.
    const std::uint32_t highest = kMaximaBins - 1 - kEach * WarpLanes::id();
    WarpLanes::Var<std::uint32_t> before;
    before.value = 0;
    for (std::uint32_t j = 0; j < kEach; ++j) before.value += memory_.counts[highest - j];
    WarpLanes{}.exclusive_scan(before);
    std::uint32_t lowest = kMaximaBins;
    for (std::uint32_t j = 0; j < kEach; ++j) {
      const std::uint32_t bin = highest - j;
      const std::uint32_t with = before.value + memory_.counts[bin];
      memory_.before[bin] = before.value;
      if (before.value < view_.wave_size && with <= 2 * view_.wave_size) lowest = bin;
      before.value = with;
    }
    lowest = WarpLanes::least(lowest);
    if (WarpLanes::id() == 0 && has(Step::kFirstWave)) memory_.first_bin = lowest;
  }

  /// Writes the wave, of `count` superblocks. Returns the number of entries.
  __device__ std::uint32_t take(std::uint32_t count) {
    std::uint32_t* const items = view_.first_items + std::size_t{blockIdx.x} * view_.first_room();
    if (view_.segment_count == 1) {
      sort_into(items);
      return count;
    }
    sort_into(sorted_);
    __syncthreads();
    std::uint32_t* const ranks = sorted_ + 2 * view_.wave_size;
    return WaveUnits(view_, memory_.units, sorted_, ranks, count).write(items);
  }

  /// The superblocks of the wave, bin by bin.
  __device__ void sort_into(std::uint32_t* items) {
    const std::uint32_t first_bin = memory_.first_bin;
    for_each([&](std::uint32_t maximum, std::uint32_t superblock) {
      const std::uint32_t bin = bin_of(maximum);
      if (bin < first_bin) return;
      items[memory_.before[bin] + atomicAdd(memory_.taken + bin, 1u)] = superblock;
    });
  }

  __device__ void start_query(std::uint32_t largest, std::uint32_t entries) {
    const std::uint32_t q = blockIdx.x;
    const std::uint32_t bin = memory_.first_bin;
    const bool none = bin == kMaximaBins;
    view_.first_counts[q] = entries;
    // The smallest maximum that falls into the bin.
    view_.cuts[q] = none ? kMaxSum + 1 : limit_ + codecs::ceil_div(bin << 16, factor_);
    view_.thresholds[q] = __float_as_uint(query_.start);
    view_.finalist_counts[q] = 0;
    view_.bins[q] = score_bins(query_, static_cast<float>(largest));
    if (q == 0) *view_.unit_count = 0;
  }

  const PrunedView& view_;
  const PrunedQuery& query_;
  Memory& memory_;
  std::uint32_t* const sorted_;
  const std::uint32_t limit_;
  std::uint32_t factor_ = 0;
};

static __global__ void __launch_bounds__(kFirstWaveThreads)
    first_wave_kernel(const __grid_constant__ PrunedView view) {
  extern __shared__ __align__(16) unsigned char shared[];
  __shared__ FirstWave::Memory memory;
  codecs::cuda::follow_previous_kernel();
  FirstWave(view, memory, reinterpret_cast<std::uint32_t*>(shared)).run();
}

}  // namespace gannet::query::cuda
