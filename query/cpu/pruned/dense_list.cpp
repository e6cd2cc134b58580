#include "query/cpu/pruned/dense_list.hpp"

#include <algorithm>

#include "codecs/docids.hpp"

namespace gannet::query {
namespace {

/// So many frequencies of a tile are read one by one before the whole tile is decoded.
constexpr std::uint32_t kFewValues = 3;

}  // namespace

std::uint64_t DenseList::map(std::uint32_t range, const PrunedKernels& kernels) {
  const index::Docid first = range * kRange;
  if (!enter(first)) return 0;
  std::uint64_t map = kernels.range_map(docids_, first, position_);
  start_ = tile_ * codecs::kTile + position_;
  while (last_ - first < kRange - 1 && tile_ + 1 < tiles_) {
    load(tile_ + 1);
    map |= kernels.range_map(docids_, first, position_);
  }
  return map;
}

/// Sees to it that the decoded tile has the first docid that is not below `first`. False if there
/// is none.
bool DenseList::enter(index::Docid first) {
  if (tile_ != kNoTile && first >= first_ && first <= last_) {
    // A range before the last one that was asked for: the position is only good for later ones.
    if (docids_[position_] > first) position_ = 0;
    return true;
  }
  std::uint32_t tile = bounds_->pointers.first_tile(first / kSuperblock);
  if (tile_ != kNoTile && first > last_) tile = std::max(tile, tile_ + 1);
  while (tile < tiles_ && list_.skips[tile] < first) ++tile;
  if (tile >= tiles_) return false;
  load(tile);
  return true;
}

void DenseList::load(std::uint32_t tile) {
  const std::uint32_t before = tile == 0 ? codecs::kBeforeFirst : list_.skips[tile - 1];
  list_.docid_codec->decode_docid_tile(list_.docids(), tile, before, docids_);
  // Behind the end stands a docid that no range has.
  const std::uint32_t size = codecs::tile_size(list_.count, tile);
  std::fill(docids_ + size, docids_ + codecs::kTile, 0xffffffffu);
  tile_ = tile;
  position_ = 0;
  first_ = before + 1;
  last_ = list_.skips[tile];
  ++tiles_decoded_;
}

void DenseList::frequencies(const std::uint8_t* ranks, std::uint32_t n, std::uint32_t* out) {
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t posting = start_ + ranks[i];
    const std::uint32_t stored = decode_frequencies(posting / codecs::kTile)
                                     ? frequencies_[posting % codecs::kTile]
                                     : list_.freq_codec->value(list_.freqs(), posting);
    out[i] = stored + 1;  // stored as one less
  }
}

/// Sees to it that the frequencies of a tile are decoded, if that is worth it.
bool DenseList::decode_frequencies(std::uint32_t tile) {
  if (tile == frequency_tile_) return true;
  if (list_.freq_codec->value != nullptr) {
    if (tile != asked_tile_) asked_ = 0;
    asked_tile_ = tile;
    if (++asked_ <= kFewValues) return false;
  }
  list_.freq_codec->decode_tile(list_.freqs(), tile, frequencies_);
  frequency_tile_ = tile;
  return true;
}

}  // namespace gannet::query
