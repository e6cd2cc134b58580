#include "query/gpu/plan/pruned/segment_views.hpp"

#include <algorithm>

#include "codecs/core/bits.hpp"

namespace gannet::query::cuda {

bool SegmentViews::takes(const IndexView& index) const {
  if (segments_.empty()) return true;
  const IndexView& first = segments_.front().index;
  return segments_.size() < kMaxBatchSegments && first.docid_codec == index.docid_codec &&
         first.freq_codec == index.freq_codec;
}

void SegmentViews::add(const IndexView& index, std::uint32_t docid_base) {
  using codecs::ceil_div;
  SegmentView segment = next_;
  segment.index = index;
  segment.docid_base = docid_base;
  segment.superblocks = padded_superblocks(index.documents);
  segment.chunks = ceil_div(index.documents, kChunkDocuments);
  segments_.push_back(segment);
  next_.first_superblock += segment.superblocks;
  next_.first_chunk += segment.chunks;
  next_.first_stretch += ceil_div(segment.superblocks, kStretchSuperblocks);
  next_.first_window += ceil_div(index.documents, kWindowDocuments);
  most_chunks_ = std::max(most_chunks_, segment.chunks);
  documents_ += index.documents;
}

void SegmentViews::fill(PrunedView& view) const {
  std::ranges::copy(segments_, view.segments);
  view.segment_count = size();
  view.superblocks = next_.first_superblock;
  view.chunks = next_.first_chunk;
  view.stretches = next_.first_stretch;
  view.windows = next_.first_window;
  view.most_chunks = most_chunks_;
}

}  // namespace gannet::query::cuda
