#include "query/host/posting_stream.hpp"

#include <string>

#include "codecs/docids.hpp"
#include "codecs/error.hpp"

namespace gannet::query {

PostingStream::PostingStream(const index::Segment& segment, index::TermId term)
    : list_(segment.list(term)),
      decode_docids_(segment.docid_codec().decode_docid_tile),
      decode_frequencies_(segment.freq_codec().decode_tile),
      tiles_(list_.tiles()) {}

void PostingStream::decode() {
  const std::uint32_t before = tile_ == 0 ? codecs::kBeforeFirst : list_.skips[tile_ - 1];
  decode_docids_(list_.docids(), tile_, before, docids_);
  size_ = codecs::tile_size(list_.count, tile_);
  check_order(before);
  loaded_ = true;
  ++tiles_decoded_;
}

void PostingStream::check_order(index::Docid before) const {
  // Opening an index checks the skip data, not every posting. A tile that ascends from the docid
  // before it to the last one that the skip data promises stays inside the collection; callers
  // index arrays by docid.
  bool sound = docids_[size_ - 1] == list_.skips[tile_] &&
               (before == codecs::kBeforeFirst || before < docids_[0]);
  for (std::uint32_t i = 1; i < size_; ++i) sound &= docids_[i - 1] < docids_[i];
  if (!sound) {
    throw FormatError(
        "a posting list is damaged: tile " + std::to_string(tile_) +
        " does not ascend to its last docid; 'gannet verify' says where, rebuild the index");
  }
}

bool PostingStream::seek(index::Docid docid) {
  if (at_end()) return false;
  if (list_.skips[tile_] < docid) {
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
