// Statistics of the lists of an index, for the last few scorers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stop_token>
#include <utility>
#include <vector>

#include "index/index.hpp"
#include "query/bounds/least_counts.hpp"
#include "query/gpu/device/list_stats/filtered_list_stats.hpp"
#include "query/gpu/device/list_stats/list_stats_table.hpp"

namespace gannet::query::cuda {

/// Whether list statistics for the one plan are valid for the other.
bool same_scoring(const Plan& a, const Plan& b);

/// A text that BM25F's words are searched in, with its weight.
struct WeightedText {
  std::uint32_t text;
  float weight;
  bool operator==(const WeightedText&) const = default;
};

/// List statistics of one segment for one scorer: among all documents, and by filter.
struct SegmentListStats {
  SegmentListStats(const DeviceSegment& segment, const index::LiveDocuments* live,
                   std::uint32_t least_count, std::uint64_t filter_searches)
      : all(*segment.segment, *segment.copy, least_count, live), filtered(all, filter_searches) {}

  std::uint64_t bytes() const { return all.bytes() + filtered.bytes(); }

  ListStatsTable all;
  FilteredListStats filtered;
};

/// SegmentListStats of all segments of an index, for the last few scorers. Thread-safe.
class ListStatsCache {
 public:
  /// The statistics for one scorer, by segment.
  using Segments = std::vector<std::unique_ptr<SegmentListStats>>;

  /// Scorers whose statistics are kept. A new one replaces the one that was used longest ago.
  static constexpr std::size_t kScorers = 4;
  /// If lists that serve several terms (ListKey) take more than so many bytes for all but the first
  /// ones, the statistics for the scorer are dropped and made anew.
  static constexpr std::uint64_t kRepeatedBytes = std::uint64_t{256} << 20;

  /// `bits`: for the bounds of one scorer, in bits per posting of the index. `filter_searches`:
  /// CudaOptions has it. `index`: has the documents that are deleted.
  ListStatsCache(std::shared_ptr<const index::Index> index, double bits,
                 std::uint64_t filter_searches)
      : index_(std::move(index)), bits_(bits), filter_searches_(filter_searches), least_(bits) {}

  bool enabled() const { return bits_ > 0; }
  /// The statistics for plans with the scorer, parameters and collection of this one and, if it has
  /// words(), with its weights of texts; empty tables if there are none yet. `segments`: those of
  /// the index, equal in every call; they must outlive this object. The first call for a segment
  /// counts its lists; no lock is held meanwhile, so that tasks of TBB may call this. The device
  /// must be current. Throws CancelledError, DeviceMemoryError.
  std::shared_ptr<Segments> of(const Plan& plan, std::span<const DeviceSegment> segments,
                               const std::stop_token& stop);
  /// Device memory of all bounds.
  std::uint64_t bytes() const;
  /// Frees the statistics that were used longest ago and that no search uses: those of a filter or,
  /// if there are none, of a scorer. Returns whether it found some.
  bool give_back();
  /// Drops all statistics. Searches under way keep those that they use.
  void clear();

 private:
  struct Entry {
    Plan plan;  ///< without terms: its scorer and collection
    std::vector<WeightedText> word_texts;
    std::shared_ptr<Segments> segments;
  };
  std::shared_ptr<Segments> find(const Plan& plan, std::shared_ptr<Segments>& gone);
  std::shared_ptr<Segments> make(std::span<const DeviceSegment> segments,
                                 const std::stop_token& stop);

  const std::shared_ptr<const index::Index> index_;
  const double bits_;
  const std::uint64_t filter_searches_;
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  ///< the last one used first
  LeastCounts least_;           ///< locks for itself
};

}  // namespace gannet::query::cuda
