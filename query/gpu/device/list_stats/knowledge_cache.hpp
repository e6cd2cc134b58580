// What the pruned search knows of the lists of an index, for the last few scorers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <vector>

#include "query/bounds/least_counts.hpp"
#include "query/gpu/device/list_stats/filtered_knowledge.hpp"
#include "query/gpu/device/list_stats/list_knowledge.hpp"

namespace gannet::query::cuda {

/// Whether what serves the one plan serves the other.
bool same_scoring(const Plan& a, const Plan& b);

/// Of one segment, for one scorer.
struct SegmentKnowledge {
  SegmentKnowledge(const DeviceSegment& segment, std::uint32_t least_count,
                   std::uint64_t filter_searches)
      : all(*segment.segment, *segment.copy, least_count), filtered(all, filter_searches) {}

  std::uint64_t bytes() const { return all.bytes() + filtered.bytes(); }

  ListKnowledge all;
  FilteredKnowledge filtered;
};

/// SegmentKnowledge for the segments of an index, for the last few scorers. Thread-safe.
class KnowledgeCache {
 public:
  /// One scorer's, by segment.
  using Segments = std::vector<std::unique_ptr<SegmentKnowledge>>;

  /// As many scorers are kept; the one that was used longest ago makes room.
  static constexpr std::size_t kScorers = 4;

  /// `bits`: for the bounds of one scorer, in bits per posting of the index. `filter_searches`:
  /// CudaOptions has it.
  KnowledgeCache(double bits, std::uint64_t filter_searches)
      : bits_(bits), filter_searches_(filter_searches), least_(bits) {}

  bool enabled() const { return bits_ > 0; }
  /// What serves plans with the scorer, parameters and collection of this one. `segments`: those of
  /// the index, the same in every call; they must outlive it. No lock is held while lists are
  /// counted, so tasks of TBB may call it. Throws CancelledError.
  std::shared_ptr<Segments> of(const Plan& plan, std::span<const DeviceSegment> segments,
                               const std::stop_token& stop);
  std::uint64_t bytes() const;
  /// Frees bounds that no search uses, of a filter or else of a scorer, those that were used
  /// longest ago; false if there are none.
  bool give_back();

 private:
  struct Entry {
    Plan plan;  ///< one that it serves, without terms
    std::shared_ptr<Segments> segments;
  };
  std::shared_ptr<Segments> find(const Plan& plan);
  std::shared_ptr<Segments> make(std::span<const DeviceSegment> segments,
                                 const std::stop_token& stop);

  const double bits_;
  const std::uint64_t filter_searches_;
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  ///< the last one used first
  LeastCounts least_;           ///< locks for itself
};

}  // namespace gannet::query::cuda
