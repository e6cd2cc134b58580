#include "query/cpu/pruned/decoded_list.hpp"

#include <algorithm>
#include <bit>

#include "codecs/docids.hpp"

namespace gannet::query {
namespace {

/// Memory only grows: what was there is written over.
template <class T>
void grow(std::vector<T>& values, std::size_t size) {
  if (values.size() < size) values.resize(size);
}

}  // namespace

/// A tile as it was decoded, and its postings' contributions.
struct DecodedList::Tile {
  alignas(64) std::uint32_t docids[codecs::kTile];
  ScoreRun run;
};

void DecodedList::read(const index::Segment& segment, const index::PostingList& list,
                       DocidRange range, const Contribution* contribution, bool keep_frequencies) {
  keep_frequencies_ = keep_frequencies && contribution != nullptr;
  tiles_decoded_ = 0;
  make_room(list.count, contribution != nullptr);
  Tile tile;
  if (list.is_short()) {
    list.decode_docids(tile.docids);
    if (contribution != nullptr) list.decode_frequencies(tile.run.frequencies);
    read_tile(segment, tile, list.count, range, contribution);
  } else {
    const auto from = std::ranges::lower_bound(list.skips, range.begin);
    for (auto i = static_cast<std::uint32_t>(from - list.skips.begin()); i < list.tiles(); ++i) {
      const std::uint32_t before = i == 0 ? codecs::kBeforeFirst : list.skips[i - 1];
      if (before + 1 >= range.end) break;
      list.docid_codec->decode_docid_tile(list.docids(), i, before, tile.docids);
      const std::uint32_t size = codecs::tile_size(list.count, i);
      if (contribution != nullptr) {
        list.freq_codec->decode_tile(list.freqs(), i, tile.run.frequencies);
        for (std::uint32_t j = 0; j < size; ++j) ++tile.run.frequencies[j];  // stored as one less
      }
      read_tile(segment, tile, size, range, contribution);
    }
  }
  std::fill_n(ranges_.begin() + used_ + 1, kStride, kNoRange);
  const auto largest = std::max_element(bits_.begin(), bits_.begin() + used_ + 1);
  largest_ = contribution == nullptr ? 0 : std::bit_cast<float>(*largest);
  rewind();
}

void DecodedList::make_room(std::uint32_t postings, bool scored) {
  grow(ranges_, std::size_t{postings} + 1 + kStride);
  grow(maps_, std::size_t{postings} + 1);
  grow(ends_, std::size_t{postings} + 1);
  grow(bits_, std::size_t{postings} + 1);
  if (scored) grow(contributions_, postings);
  if (keep_frequencies_) grow(frequencies_, postings);
  used_ = 0;
  ranges_[0] = kNoRange;
  maps_[0] = ends_[0] = bits_[0] = 0;
}

/// The `n` postings of a tile, as far as they are in the range.
void DecodedList::read_tile(const index::Segment& segment, Tile& tile, std::uint32_t n,
                            DocidRange range, const Contribution* contribution) {
  ++tiles_decoded_;
  std::uint32_t* const end = tile.docids + n;
  if (end[-1] >= range.end) {
    n = static_cast<std::uint32_t>(std::lower_bound(tile.docids, end, range.end) - tile.docids);
  }
  if (n > 0 && tile.docids[0] < range.begin) {
    const auto first = std::lower_bound(tile.docids, tile.docids + n, range.begin) - tile.docids;
    std::copy(tile.docids + first, tile.docids + n, tile.docids);
    if (contribution != nullptr) {
      std::copy(tile.run.frequencies + first, tile.run.frequencies + n, tile.run.frequencies);
    }
    n -= static_cast<std::uint32_t>(first);
  }
  if (contribution != nullptr) {
    score(segment, tile, n, *contribution);
  } else {
    std::fill_n(tile.run.scores, n, 0.0f);
  }
  add(tile, n);
}

void DecodedList::score(const index::Segment& segment, Tile& tile, std::uint32_t n,
                        const Contribution& contribution) {
  const std::uint32_t* const lengths = segment.text_lengths(contribution.text()).data();
  for (std::uint32_t i = 0; i < n; ++i) tile.run.lengths[i] = lengths[tile.docids[i]];
  contribution.score(tile.run, n);
  std::copy_n(tile.run.scores, n, contributions_.begin() + ends_[used_]);
  if (keep_frequencies_) {
    std::copy_n(tile.run.frequencies, n, frequencies_.begin() + ends_[used_]);
  }
}

/// What is known of the current range is written for each posting: whether it is the range's last
/// one is not to be guessed. Contributions are >= 0: floats that are have the order of their bits.
void DecodedList::add(const Tile& tile, std::uint32_t n) {
  std::uint32_t* const ranges = ranges_.data();
  std::uint64_t* const maps = maps_.data();
  std::uint32_t* const ends = ends_.data();
  std::uint32_t* const bits = bits_.data();
  std::uint32_t at = used_;
  std::uint32_t range = ranges[at];
  std::uint64_t map = maps[at];
  std::uint32_t largest = bits[at];
  std::uint32_t posting = ends[at];
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t docid = tile.docids[i];
    const auto own = std::bit_cast<std::uint32_t>(tile.run.scores[i]);
    const bool begins = docid / kRange != range;
    // All bits where the range goes on.
    const std::uint64_t kept = std::uint64_t{begins} - 1;
    range = docid / kRange;
    at += begins ? 1 : 0;
    map = (map & kept) | std::uint64_t{1} << docid % kRange;
    largest = std::max(largest & static_cast<std::uint32_t>(kept), own);
    ranges[at] = range;
    maps[at] = map;
    bits[at] = largest;
    ends[at] = ++posting;
  }
  used_ = at;
}

void DecodedList::quantise(float scale) {
  grow(codes_, std::size_t{used_} + 1);
  for (std::uint32_t i = 1; i <= used_; ++i) {
    codes_[i] = static_cast<std::uint16_t>(std::bit_cast<float>(bits_[i]) * scale + 1.0f);
  }
}

void DecodedList::enter(std::uint32_t range) {
  if (range == range_) return;
  range_ = range;
  for (;;) {
    std::uint32_t below = 0;
    for (std::uint32_t i = 0; i < kStride; ++i) below += ranges_[at_ + i] < range ? 1 : 0;
    at_ += below;
    if (below < kStride) return;
  }
}

}  // namespace gannet::query
