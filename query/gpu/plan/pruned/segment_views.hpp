// The segments that a batch of the pruned search goes through together. Host code; needs no GPU.
#pragma once

#include <boost/container/static_vector.hpp>

#include <cstdint>

#include "query/gpu/plan/pruned/tables.hpp"

namespace gannet::query::cuda {

/// Up to kMaxBatchSegments segments whose lists have equal codecs. The kernels search them as one
/// index: each query has one threshold, and its best superblocks of all segments come first. Not
/// thread-safe while it is built.
class SegmentViews {
 public:
  /// Whether a segment may be searched together with those that were added.
  bool takes(const IndexView& index) const;
  /// Adds a segment that takes() allows. `docid_base`: the first docid of the segment in the index.
  void add(const IndexView& index, std::uint32_t docid_base);

  const SegmentView& operator[](std::size_t i) const { return segments_[i]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(segments_.size()); }

  // Sums over all segments:
  std::uint64_t documents() const { return documents_; }
  std::uint32_t superblocks() const { return next_.first_superblock; }
  std::uint32_t stretches() const { return next_.first_stretch; }
  /// Writes the segments and the sums into a view for the kernels.
  void fill(PrunedView& view) const;

 private:
  boost::container::static_vector<SegmentView, kMaxBatchSegments> segments_;
  std::uint64_t documents_ = 0;
  std::uint32_t most_chunks_ = 0;
  SegmentView next_{};  ///< where the next segment's numbers begin
};

}  // namespace gannet::query::cuda
