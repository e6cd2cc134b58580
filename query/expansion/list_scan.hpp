// Finding some documents in posting lists.
#pragma once

#include <algorithm>
#include <cstdint>

#include "codecs/docids.hpp"
#include "query/expansion/document_set.hpp"

namespace gannet::query {

/// Looks for the documents of a set in one list after the other. Not thread-safe.
class ListScan {
 public:
  explicit ListScan(const DocumentSet& documents) : documents_(documents) {}

  /// Calls visit(member, frequency) for each document of the set that the list has, ascending;
  /// `member` is its number in the set. The list must be sound (Segment::list()).
  template <class Visit>
  void scan(const index::PostingList& list, Visit visit) {
    tiles_total_ += list.tiles();
    if (list.is_short()) {
      scan_short(list, visit);
    } else {
      scan_tiles(list, visit);
    }
  }

  std::uint64_t tiles_total() const { return tiles_total_; }
  std::uint64_t tiles_decoded() const { return tiles_decoded_; }

 private:
  template <class Visit>
  void scan_short(const index::PostingList& list, Visit visit) {
    list.decode_docids(docids_);
    ++tiles_decoded_;
    bool decoded = false;
    for (std::uint32_t i = 0; i < list.count; ++i) {
      if (!documents_.holds(docids_[i])) continue;
      if (!decoded) list.decode_frequencies(frequencies_);
      decoded = true;
      visit(documents_.rank(docids_[i]), frequencies_[i]);
    }
  }

  /// From member to member: the tile that can hold it is decoded, then the first member behind that
  /// tile is looked for.
  template <class Visit>
  void scan_tiles(const index::PostingList& list, Visit visit) {
    const auto members = documents_.members();
    std::uint32_t tile = 0;
    for (std::uint32_t next = 0; next < members.size();) {
      tile = tile_for(list, tile, members[next]);
      if (tile == list.tiles()) return;
      scan_tile(list, tile, visit);
      next = documents_.rank(list.skips[tile]) + (documents_.holds(list.skips[tile]) ? 1 : 0);
      ++tile;
    }
  }

  /// The first tile, from `tile` on, whose last docid is not less than docid. Gallops: where there
  /// are many members it is near.
  static std::uint32_t tile_for(const index::PostingList& list, std::uint32_t tile,
                                index::Docid docid) {
    const std::uint32_t tiles = list.tiles();
    std::uint32_t step = 1;
    std::uint32_t from = tile;
    while (step <= tiles - from && list.skips[from + step - 1] < docid) {
      from += step;
      step *= 2;
    }
    const std::uint32_t to = from + std::min(step - 1, tiles - from);
    return static_cast<std::uint32_t>(
        std::lower_bound(list.skips.begin() + from, list.skips.begin() + to, docid) -
        list.skips.begin());
  }

  template <class Visit>
  void scan_tile(const index::PostingList& list, std::uint32_t tile, Visit visit) {
    const std::uint32_t before = tile == 0 ? codecs::kBeforeFirst : list.skips[tile - 1];
    list.docid_codec->decode_docid_tile(list.docids(), tile, before, docids_);
    ++tiles_decoded_;
    const std::uint32_t size = codecs::tile_size(list.count, tile);
    bool decoded = false;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (!documents_.holds(docids_[i])) continue;
      if (!decoded) list.freq_codec->decode_tile(list.freqs(), tile, frequencies_);
      decoded = true;
      visit(documents_.rank(docids_[i]), frequencies_[i] + 1);  // stored as one less
    }
  }

  const DocumentSet& documents_;
  std::uint64_t tiles_total_ = 0;
  std::uint64_t tiles_decoded_ = 0;
  alignas(64) std::uint32_t docids_[codecs::kTile] = {};
  alignas(64) std::uint32_t frequencies_[codecs::kTile] = {};
};

}  // namespace gannet::query
