// The segments that a batch of the pruned search goes through together. Host code; needs no GPU.
#pragma once

#include <boost/container/static_vector.hpp>

#include <cstdint>

#include "query/gpu/plan/pruned/tables.hpp"

namespace gannet::query::cuda {

/// Up to kMaxBatchSegments of them, whose lists have the same codecs. To the kernels they are one
/// index: each query has one threshold and its best superblocks of all segments come first.
class SegmentViews {
 public:
  /// Whether a segment may be searched together with those that are there.
  bool takes(const IndexView& index) const;
  /// `docid_base`: what the segment's docids begin with in the index. Only if takes().
  void add(const IndexView& index, std::uint32_t docid_base);

  const SegmentView& operator[](std::size_t i) const { return segments_[i]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(segments_.size()); }

  // Of all of them:
  std::uint64_t documents() const { return documents_; }
  std::uint32_t superblocks() const { return next_.first_superblock; }
  std::uint32_t stretches() const { return next_.first_stretch; }
  /// Tells the kernels.
  void fill(PrunedView& view) const;

 private:
  boost::container::static_vector<SegmentView, kMaxBatchSegments> segments_;
  std::uint64_t documents_ = 0;
  std::uint32_t most_chunks_ = 0;
  SegmentView next_{};  ///< where the next segment's numbers begin
};

}  // namespace gannet::query::cuda
