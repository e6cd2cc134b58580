// The k best of a stream of scored documents, with a threshold that rises early.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "query/plan/page.hpp"

namespace gannet::query {

/// Keeps the k largest rank keys (hits.hpp) of distinct documents that are below a bound; only
/// these count for the threshold. For small k a heap; for others a histogram of the scores tells,
/// long before k documents are sorted, what the k-th best is at least. Memory is reused from query
/// to query, and grows with k, not with the stream.
class RisingTop {
 public:
  /// Starts anew. No document below `threshold` is wanted, and no key of `below` or more; no score
  /// is above `ceiling` (> 0).
  void reset(std::uint32_t k, float threshold, float ceiling, std::uint64_t below = kNoBound);

  /// Documents with lower scores cannot be among the k best.
  float threshold() const { return threshold_; }
  /// It was found elsewhere that documents below `threshold` are not wanted.
  void raise(float threshold) {
    if (threshold > threshold_) threshold_ = threshold;
  }

  /// Needs k > 0. True if the threshold rose.
  bool push(float score, std::uint32_t docid) {
    return !(score < threshold_) && keep(score, docid);
  }

  /// The keys of the k best documents that were pushed, or of all, best first. Documents below the
  /// threshold may be missing.
  std::vector<std::uint64_t> take();

 private:
  static constexpr std::uint32_t kMaxHeap = 64;
  static constexpr std::uint32_t kBins = 2048;

  bool uses_heap() const { return k_ <= kMaxHeap; }
  bool keep(float score, std::uint32_t docid);
  bool push_heap(std::uint64_t key);
  bool count(float score);
  bool compact();
  std::uint32_t bin_of(float score) const;
  float lower_end(std::uint32_t bin) const;
  void sort_by_bins();

  std::uint32_t k_ = 0;
  std::uint64_t below_ = kNoBound;
  float threshold_ = 0;
  std::vector<std::uint64_t> keys_;  ///< a heap with the worst in front, or all that were kept
  // The histogram. Bins go on evenly from `lowest_` on.
  float lowest_ = 0;
  float per_score_ = 0;          ///< bins a unit of score
  std::uint32_t cut_ = 0;        ///< k documents are in this bin and above it; 0: not known yet
  std::uint64_t above_cut_ = 0;  ///< documents in bin cut_ and above it
  std::array<std::uint32_t, kBins> bins_{};
  std::vector<std::uint64_t> sorted_;
};

}  // namespace gannet::query
