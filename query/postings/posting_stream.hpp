// Reading one posting list forwards, decoding only the tiles that are needed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "index/index.hpp"

namespace gannet::query {

/// What finding a document in a list costs, in postings of a list that is read from end to end:
/// mostly a tile is decoded.
inline constexpr std::uint64_t kLookUpCost = 64;

/// A forward reader of one list. The docids of a short list are decoded at once; all other docids
/// and frequencies by tiles, when first needed, each into a buffer of its own. Not thread-safe;
/// needs the segment to stay alive.
class PostingStream {
 public:
  /// Throws FormatError, naming the term, if its list is damaged.
  PostingStream(const index::Segment& segment, index::TermId term)
      : PostingStream(segment.list(term)) {}
  /// Of a list that is sound, and stays.
  explicit PostingStream(const index::PostingList& list);

  /// Postings of the list.
  std::uint32_t count() const { return list_.count; }

  /// Whether all postings were passed.
  bool at_end() const { return tile_ >= tiles_; }

  /// Moves to the first posting with docid >= `docid` (never backwards). False if there is none.
  bool seek(index::Docid docid);

  /// The docid at the current position. Needs !at_end().
  index::Docid docid() {
    load();
    return docids_[position_];
  }

  /// Moves to the next posting. Needs !at_end().
  void next() {
    load();
    if (++position_ == size_) enter(tile_ + 1);
  }

  /// The number of the current posting within the list. Needs !at_end().
  std::uint32_t posting() const { return tile_ * codecs::kTile + position_; }

  /// The tile of the current posting; of a short list 0. Needs !at_end().
  std::uint32_t tile() const { return tile_; }
  /// The docids and the frequencies of its postings; valid until the stream goes to another tile.
  std::span<const std::uint32_t> tile_docids() {
    load();
    return {docids_, size_};
  }
  std::span<const std::uint32_t> tile_frequencies() {
    load();
    load_frequencies(tile_);
    return {frequencies_, size_};
  }

  /// The term frequency of a posting, given by its number; fast if postings are asked for in
  /// ascending order.
  std::uint32_t frequency(std::uint32_t posting) {
    load_frequencies(posting / codecs::kTile);
    return frequencies_[posting % codecs::kTile];
  }

  /// Passes all postings with docid < `end` and calls visit(docids, n, posting) for runs of them, n
  /// <= 128 in one tile, the first one with number `posting`.
  template <class Visit>
  void take_until(index::Docid end, Visit visit) {
    while (!at_end()) {
      if (!loaded_ && tile_ > 0 && list_.skips[tile_ - 1] + 1 >= end) return;
      load();
      const bool whole = docids_[size_ - 1] < end;
      const std::uint32_t stop = whole ? size_ : first_not_below(end);
      if (stop > position_) visit(docids_ + position_, stop - position_, posting());
      position_ = stop;
      if (!whole) return;
      enter(tile_ + 1);
    }
  }

  /// The frequencies of the run that starts with number `posting`.
  const std::uint32_t* frequencies(std::uint32_t posting) {
    load_frequencies(posting / codecs::kTile);
    return frequencies_ + posting % codecs::kTile;
  }

  std::uint64_t tiles_decoded() const { return tiles_decoded_; }

 private:
  void enter(std::uint32_t tile) {
    tile_ = tile;
    position_ = 0;
    loaded_ = false;
  }

  /// The current tile's last docid. A short list, which has no skips, is always loaded.
  index::Docid tile_last() const { return loaded_ ? docids_[size_ - 1] : list_.skips[tile_]; }

  void load() {
    if (!loaded_) decode();
  }
  void decode();

  void load_frequencies(std::uint32_t tile) {
    if (tile != frequency_tile_) decode_frequencies(tile);
  }
  void decode_frequencies(std::uint32_t tile);

  /// The first position in the tile, not before the current one, with a docid >= `docid`; size_ if
  /// there is none. Needs a loaded tile.
  std::uint32_t first_not_below(index::Docid docid) const;

  static constexpr index::Docid kNone = ~index::Docid{0};  ///< no document

  index::PostingList list_;
  std::uint64_t tiles_decoded_ = 0;
  std::uint32_t tiles_;
  std::uint32_t tile_ = 0;      ///< the current one
  std::uint32_t position_ = 0;  ///< within the current tile
  std::uint32_t size_ = 0;      ///< postings of the current tile, once loaded
  bool loaded_ = false;         ///< docids_ holds the current tile
  std::uint32_t frequency_tile_ = 0xffffffffu;
  /// Behind size_: kNone.
  alignas(64) std::uint32_t docids_[codecs::kTile];
  alignas(64) std::uint32_t frequencies_[codecs::kTile] = {};
};

}  // namespace gannet::query
