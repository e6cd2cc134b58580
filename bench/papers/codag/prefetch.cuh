// CODAG's ablation: a second warp that prefetches a chunk's bytes for the warp that decodes it.
// Source: Park et al., "CODAG", sections II-C and V-F.
#pragma once

#include <cstdint>
#include <cuda/atomic>

#include "bench/papers/codag/buffers.hpp"
#include "codecs/core/bits.hpp"

namespace gannet::codecs::papers {

/// Lines of shared memory that the prefetching warp may be ahead by.
inline constexpr std::uint32_t kPrefetchLines = 4;

/// What the two warps share, in shared memory. `filled` and `freed` count lines from the beginning
/// of the stream. One thread must call reset() and the block must meet at a barrier before the use.
struct PrefetchRing {
  std::uint32_t word[kPrefetchLines * kLineWords];
  std::uint32_t filled;
  std::uint32_t freed;

  using Count = ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_block>;

  /// What the other warp wrote before it published this number can be read after it.
  GANNET_HD static std::uint32_t read(std::uint32_t& count) {
    return Count(count).load(::cuda::memory_order_acquire);
  }
  GANNET_HD static void publish(std::uint32_t& count, std::uint32_t value) {
    Count(count).store(value, ::cuda::memory_order_release);
  }

  __device__ void reset() {
    filled = 0;
    freed = 0;
  }
};

/// The prefetching warp: copies the lines of `range` to the ring as they become free; returns after
/// the last one, or once the decoding warp has finished.
__device__ inline void prefetch_lines(ByteRange range, PrefetchRing& ring) {
  const std::uint32_t first = first_of_line(range);
  const std::uint32_t lines = ceil_div(ceil_div(range.end, 4) - first, kLineWords);
  for (std::uint32_t line = 0; line < lines; ++line) {
    const std::uint32_t word = word_of_line(range, first + line * kLineWords, WarpLanes::id());
    std::uint32_t freed = PrefetchRing::read(ring.freed);
    while (freed != 0xffffffffu && line - freed >= kPrefetchLines) {
      freed = PrefetchRing::read(ring.freed);
    }
    if (freed == 0xffffffffu) return;
    __syncwarp();
    ring.word[line % kPrefetchLines * kLineWords + WarpLanes::id()] = word;
    __syncwarp();
    if (WarpLanes::id() == 0) PrefetchRing::publish(ring.filled, line + 1);
  }
}

/// The decoding warp's source of words (buffers.hpp). finish_prefetching() must be called when all
/// is decoded.
template <DecodeBy by = DecodeBy::kAllLanes>
class PrefetchedWords {
 public:
  __device__ PrefetchedWords(ByteRange range, PrefetchRing& ring)
      : range_(range), ring_(&ring), first_(first_of_line(range)) {
    read_ = range.first_word() - first_;
    available_ = read_ / kLineWords * kLineWords;
    words_ = ceil_div(range.end, 4) - first_;
    reserve();
  }

  GANNET_HD std::uint32_t next() {
    if (read_ >= words_) return 0;
    if constexpr (by == DecodeBy::kAllLanes) {
      while (read_ >= available_) wait();
    }
    return ring_->word[read_++ % (kPrefetchLines * kLineWords)];
  }

  GANNET_HD std::uint32_t word_at(std::uint32_t index) const { return range_.word(index); }

  /// Waits until a line's worth of words (or all that are left) can be read.
  GANNET_HD void reserve() {
    while (available_ < words_ && available_ < read_ + kLineWords) wait();
  }

  template <class Lanes>
  GANNET_HD void follow(Lanes lanes) {
    read_ = from_lane0(lanes, read_);
  }

 private:
  /// Frees the lines that have been read and waits for the next one.
  GANNET_HD void wait() {
    WarpLanes{}.sync();
    WarpLanes{}.each([&](std::uint32_t lane) {
      if (lane == 0) PrefetchRing::publish(ring_->freed, read_ / kLineWords);
    });
    const std::uint32_t line = available_ / kLineWords;
    while (PrefetchRing::read(ring_->filled) <= line) {
    }
    WarpLanes{}.sync();
    available_ += kLineWords;
  }

  ByteRange range_;
  PrefetchRing* ring_;
  std::uint32_t first_;
  std::uint32_t read_;       ///< words from the first line's beginning
  std::uint32_t available_;  ///< words up to which the ring is known to be filled
  std::uint32_t words_;
};

/// Lets the prefetching warp go: nothing more will be read.
__device__ inline void finish_prefetching(PrefetchRing& ring) {
  __syncwarp();
  if (WarpLanes::id() == 0) PrefetchRing::publish(ring.freed, 0xffffffffu);
}

}  // namespace gannet::codecs::papers
