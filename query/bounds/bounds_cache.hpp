// The bounds that searches need, made when they are first asked for and kept for the next.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "index/index.hpp"
#include "query/bounds/kept_by_term.hpp"
#include "query/bounds/least_counts.hpp"
#include "query/bounds/list_bounds.hpp"
#include "query/plan/plan.hpp"

namespace gannet::query {

/// Bounds of lists of one segment.
using SegmentBounds = KeptByTerm<ListBounds>;

/// Bounds for one scorer with its parameters, of all segments.
class ScorerBounds {
 public:
  ScorerBounds(const index::Index& index, const Plan& plan);

  /// Whether they are bounds of the plan's scores. Words of BM25F may differ from those that bounds
  /// were made for in the weights of texts: then bounds are only less tight.
  bool serves(const Plan& plan) const;
  SegmentBounds& segment(std::size_t i) { return *segments_[i]; }
  const SegmentBounds& segment(std::size_t i) const { return *segments_[i]; }
  void count_bytes(std::uint64_t made) { bytes_.fetch_add(made, std::memory_order_relaxed); }
  std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  ScorerSpec scorer_;
  CollectionStatistics collection_;
  std::vector<PlanText> texts_;
  /// Of a plan of words: the texts of its first one, with their weights.
  std::vector<std::pair<std::uint32_t, float>> word_texts_;
  std::vector<std::unique_ptr<SegmentBounds>> segments_;
  std::atomic<std::uint64_t> bytes_{0};
};

/// A term of a segment, whose bounds are wanted.
struct WantedBounds {
  ScorerBounds* scorer;
  std::size_t segment;
  index::TermId term;
  Contribution unit;
};

/// The bounds of an index. For no more than kScorers scorers, of which the one that was used
/// longest ago makes room; each takes no more than `bits` bits per posting. Any number of threads
/// may use it.
class BoundsCache {
 public:
  static constexpr std::size_t kScorers = 4;

  /// `bits`: see least_dense_count(). 0: there are none.
  BoundsCache(std::shared_ptr<const index::Index> index, double bits);

  bool enabled() const { return bits_ > 0; }
  /// The bounds for the scorer of a plan: those that were made before, or new ones, empty yet.
  std::shared_ptr<ScorerBounds> of(const Plan& plan);
  /// The least number of postings with which a list of the segment gets bounds. The first call
  /// counts the segment's lists. Throws CancelledError.
  std::uint32_t least_count(std::size_t segment, const std::stop_token& stop);
  /// Makes what is missing, in parallel on the calling thread's TBB arena. Throws FormatError for a
  /// damaged list, CancelledError.
  void make(std::vector<WantedBounds> wanted, const std::stop_token& stop);
  /// What the bounds that are kept take.
  std::uint64_t bytes() const;

 private:
  void make_one(const WantedBounds& wanted, const std::stop_token& stop);

  std::shared_ptr<const index::Index> index_;
  double bits_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<ScorerBounds>> scorers_;  ///< the last one used first
  LeastCounts least_;                                   ///< locks for itself
};

}  // namespace gannet::query
