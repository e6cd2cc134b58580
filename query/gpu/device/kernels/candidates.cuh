// A warp's candidates for the top k: an append-only buffer in device memory that is cut down to the
// k best whenever it fills up; the k-th best then is the threshold that further candidates must
// beat.
#pragma once

#include "codecs/core/lanes.hpp"
#include "query/gpu/device/kernels/radix.cuh"
#include "query/gpu/plan/batch.hpp"

namespace gannet::query::cuda {

class Candidates {
 public:
  /// `warp` is the calling warp's number in the launch.
  __device__ Candidates(const BatchView& batch, std::uint32_t warp, std::uint32_t number,
                        const BatchQuery& query)
      : keys_(batch.candidates + std::size_t{warp} * batch.capacity),
        shared_(batch.thresholds + number),
        capacity_(batch.capacity),
        k_(query.k),
        alone_(query.items == 1) {}

  /// Takes over the threshold that other warps have reached for the same query.
  __device__ void refresh() {
    if (alone_) return;
    threshold_ = max(threshold_, *static_cast<volatile std::uint64_t*>(shared_));
  }

  /// Whether a document with this key may still be among the k best.
  __device__ bool admits(std::uint64_t key) const { return key > threshold_; }

  /// Appends up to four keys of each lane, in any order; 0 stands for none.
  __device__ void append(const std::uint64_t (&keys)[4]) {
    codecs::WarpLanes::Var<std::uint32_t> rank;
    rank.value = 0;
    for (const std::uint64_t key : keys) rank.value += key != 0;
    if (!__any_sync(codecs::WarpLanes::kAll, rank.value != 0)) return;
    const std::uint32_t added = codecs::WarpLanes{}.exclusive_scan(rank);
    std::uint32_t position = count_ + rank.value;
    for (const std::uint64_t key : keys) {
      if (key != 0) keys_[position++] = key;
    }
    count_ += added;
  }

  /// Makes room for `more` further keys. `histogram` is 256 words of shared memory; it is left all
  /// 0.
  __device__ void make_room(std::uint32_t more, std::uint32_t* histogram) {
    if (count_ + more > capacity_) shrink(histogram);
  }

  /// Appends what may still be among the query's k best, at most k keys, to its finalists.
  __device__ void finish(std::uint64_t* finalists, std::uint32_t* finalist_count,
                         std::uint32_t* histogram) {
    __syncwarp();  // what lanes have appended is read by others
    if (count_ > k_) shrink(histogram);
    refresh();
    if (!alone_) keep_from(threshold_);
    std::uint32_t first = 0;
    if (lane() == 0) first = atomicAdd(finalist_count, count_);
    first = __shfl_sync(codecs::WarpLanes::kAll, first, 0);
    for (std::uint32_t i = lane(); i < count_; i += codecs::kLanes) finalists[first + i] = keys_[i];
  }

  /// No document with a lower score is admitted.
  __device__ float least_score() const {
    return __uint_as_float(static_cast<std::uint32_t>(threshold_ >> 32));
  }

 private:
  /// Cuts the buffer down to the k best and raises the threshold.
  __device__ void shrink(std::uint32_t* histogram) {
    __syncwarp();
    if (count_ > k_) {
      const std::uint64_t kth = select(histogram);
      if (!alone_ && lane() == 0) {
        atomicMax(reinterpret_cast<unsigned long long*>(shared_),
                  static_cast<unsigned long long>(kth));
      }
      threshold_ = max(threshold_, kth);
      keep_from(kth);
    }
  }

  /// A number that exactly k keys reach, by radix selection from the highest byte down.
  __device__ std::uint64_t select(std::uint32_t* histogram) const {
    std::uint64_t prefix = 0;
    std::uint64_t mask = 0;
    std::uint32_t wanted = k_;
    bool exact = false;
    for (int shift = 56; shift >= 0 && !exact; shift -= 8) {
      count_digits(prefix, mask, shift, histogram);
      const std::uint32_t digit = pick_digit(histogram, wanted, exact);
      prefix |= std::uint64_t{digit} << shift;
      mask |= std::uint64_t{0xff} << shift;
    }
    return prefix;
  }

  __device__ void count_digits(std::uint64_t prefix, std::uint64_t mask, int shift,
                               std::uint32_t* histogram) const {
    for (std::uint32_t i = lane(); i < count_; i += codecs::kLanes) {
      const std::uint64_t key = keys_[i];
      if ((key & mask) == prefix) atomicAdd(histogram + (key >> shift & 0xff), 1u);
    }
    __syncwarp();
  }

  /// Keeps the keys that are at least `least`, in place: a batch of 32 is read before it is written
  /// further down.
  __device__ void keep_from(std::uint64_t least) {
    std::uint32_t kept = 0;
    for (std::uint32_t first = 0; first < count_; first += codecs::kLanes) {
      const std::uint32_t i = first + lane();
      const std::uint64_t key = i < count_ ? keys_[i] : 0;
      const unsigned keepers = __ballot_sync(codecs::WarpLanes::kAll, i < count_ && key >= least);
      const unsigned below = keepers & ((1u << lane()) - 1);
      if (keepers >> lane() & 1) keys_[kept + __popc(below)] = key;
      kept += static_cast<std::uint32_t>(__popc(keepers));
      __syncwarp();
    }
    count_ = kept;
  }

  __device__ static std::uint32_t lane() { return codecs::WarpLanes::id(); }

  std::uint64_t* keys_;
  std::uint64_t* shared_;
  std::uint32_t capacity_;
  std::uint32_t k_;
  bool alone_;
  std::uint32_t count_ = 0;
  std::uint64_t threshold_ = 0;
};

}  // namespace gannet::query::cuda
