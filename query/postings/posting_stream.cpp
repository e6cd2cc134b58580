#include "query/postings/posting_stream.hpp"

#include "codecs/docids.hpp"

namespace gannet::query {

PostingStream::PostingStream(const index::PostingList& list) : list_(list), tiles_(list_.tiles()) {
  if (!list_.is_short()) return;
  list_.decode_docids(docids_);
  size_ = list_.count;
  std::fill(docids_ + size_, docids_ + codecs::kTile, kNone);
  loaded_ = true;
  ++tiles_decoded_;
}

void PostingStream::decode_frequencies(std::uint32_t tile) {
  frequency_tile_ = tile;
  if (list_.is_short()) return list_.decode_frequencies(frequencies_);
  list_.freq_codec->decode_tile(list_.freqs(), tile, frequencies_);
  for (std::uint32_t& frequency : frequencies_) ++frequency;  // stored as one less
}

void PostingStream::decode() {
  const std::uint32_t before = tile_ == 0 ? codecs::kBeforeFirst : list_.skips[tile_ - 1];
  list_.docid_codec->decode_docid_tile(list_.docids(), tile_, before, docids_);
  size_ = codecs::tile_size(list_.count, tile_);
  std::fill(docids_ + size_, docids_ + codecs::kTile, kNone);
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
  // Without a branch, for which way to go is anybody's guess: three halvings, then a count.
  static_assert(codecs::kTile == 128);
  const index::Docid* at = docids_;
  at += at[63] < docid ? 64 : 0;
  at += at[31] < docid ? 32 : 0;
  at += at[15] < docid ? 16 : 0;
  std::uint32_t below = 0;
  for (std::uint32_t i = 0; i < 16; ++i) below += at[i] < docid ? 1 : 0;
  return std::max(position_, static_cast<std::uint32_t>(at - docids_) + below);
}

}  // namespace gannet::query
