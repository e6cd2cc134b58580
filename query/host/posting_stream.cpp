#include "query/host/posting_stream.hpp"

#include "codecs/docids.hpp"

namespace gannet::query {

PostingStream::PostingStream(const index::Segment& segment, index::TermId term)
    : list_(segment.list(term)), tiles_(list_.tiles()) {
  if (!list_.is_short()) return;
  list_.decode_docids(docids_);
  list_.decode_frequencies(frequencies_);
  size_ = list_.count;
  loaded_ = true;
  frequency_tile_ = 0;
  ++tiles_decoded_;
}

void PostingStream::decode() {
  const std::uint32_t before = tile_ == 0 ? codecs::kBeforeFirst : list_.skips[tile_ - 1];
  list_.docid_codec->decode_docid_tile(list_.docids(), tile_, before, docids_);
  size_ = codecs::tile_size(list_.count, tile_);
  loaded_ = true;
  ++tiles_decoded_;
}

bool PostingStream::seek(index::Docid docid) {
  if (at_end()) return false;
  if (tile_last() < docid) {
    if (tile_ + 1 == tiles_) {
      enter(tiles_);
      return false;
    }
    // Gallop: steps double until they are too long, then the last one is searched.
    std::uint32_t below = tile_;
    std::uint32_t step = 1;
    while (step < tiles_ - below && list_.skips[below + step] < docid) {
      below += step;
      step *= 2;
    }
    const auto from = list_.skips.begin() + below + 1;
    const auto to = list_.skips.begin() + std::min(tiles_, below + step);
    enter(static_cast<std::uint32_t>(std::lower_bound(from, to, docid) - list_.skips.begin()));
    if (at_end()) return false;
  }
  load();
  position_ = first_not_below(docid);
  return true;
}

std::uint32_t PostingStream::first_not_below(index::Docid docid) const {
  // Often the posting is near; else a search that does not branch on what it finds.
  std::uint32_t from = position_;
  const std::uint32_t near = std::min(size_, from + 4);
  while (from < near && docids_[from] < docid) ++from;
  if (from < near || near == size_) return from;
  std::uint32_t length = size_ - from;
  while (length > 1) {
    const std::uint32_t half = length / 2;
    from += docids_[from + half - 1] < docid ? half : 0;
    length -= half;
  }
  return from + (docids_[from] < docid ? 1 : 0);
}

}  // namespace gannet::query
