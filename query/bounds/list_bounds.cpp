#include "query/bounds/list_bounds.hpp"

#include <bit>

#include "codecs/base/cancellation.hpp"
#include "codecs/docids.hpp"
#include "index/segment/live_documents.hpp"

namespace gannet::query {
namespace {

/// Tiles between two looks at the stop token.
constexpr std::uint32_t kTilesPerLook = 1024;

/// How often contributions of a size occur (ranges.hpp).
class SizeHistogram {
 public:
  void add(const float* contributions, std::uint32_t n) {
    for (std::uint32_t i = 0; i < n; ++i) ++buckets_[bucket_of(contributions[i])];
  }

  /// The lower end of the bucket that holds the contribution at this rank, counted from the
  /// largest, which is at most `largest`; 0 if there are fewer.
  float at_rank(std::uint32_t rank, float largest) const {
    std::uint64_t seen = 0;
    for (std::uint32_t bucket = bucket_of(largest) + 1; bucket-- > 0;) {
      seen += buckets_[bucket];
      if (seen >= rank) return std::bit_cast<float>(bucket << kSizeShift);
    }
    return 0;
  }

 private:
  static std::uint32_t bucket_of(float contribution) {
    return std::bit_cast<std::uint32_t>(contribution) >> kSizeShift;
  }

  std::vector<std::uint32_t> buckets_ = std::vector<std::uint32_t>(kSizeBuckets);
};

/// Goes through a list and keeps the largest contribution of each range.
class RangeMaxima {
 public:
  RangeMaxima(const index::Segment& segment, const index::PostingList& list,
              const Contribution& unit, const index::LiveDocuments* live)
      : list_(list),
        unit_(unit),
        live_(live),
        lengths_(segment.text_lengths(unit.text()).data()),
        largest_(padded_ranges(segment.statistics().documents)) {}

  void add(std::uint32_t tile) {
    const std::uint32_t size = codecs::tile_size(list_.count, tile);
    const std::uint32_t before = tile == 0 ? codecs::kBeforeFirst : list_.skips[tile - 1];
    list_.docid_codec->decode_docid_tile(list_.docids(), tile, before, docids_);
    list_.freq_codec->decode_tile(list_.freqs(), tile, run_.frequencies);
    for (std::uint32_t i = 0; i < size; ++i) {
      ++run_.frequencies[i];  // stored as one less
      run_.lengths[i] = lengths_[docids_[i]];
    }
    unit_.score(run_, size);
    for (std::uint32_t i = 0; i < size; ++i) {
      float& largest = largest_[docids_[i] / kRange];
      largest = std::max(largest, run_.scores[i]);
    }
    sizes_.add(run_.scores, live_ == nullptr ? size : keep_live(size));
  }

  const std::vector<float>& largest() const { return largest_; }
  const SizeHistogram& sizes() const { return sizes_; }

 private:
  /// Moves the contributions of documents that are not deleted to the front; returns their number.
  std::uint32_t keep_live(std::uint32_t size) {
    std::uint32_t kept = 0;
    for (std::uint32_t i = 0; i < size; ++i) {
      if (live_->has(docids_[i])) run_.scores[kept++] = run_.scores[i];
    }
    return kept;
  }

  const index::PostingList& list_;
  const Contribution& unit_;
  const index::LiveDocuments* live_;  ///< null: all are
  const std::uint32_t* lengths_;
  std::vector<float> largest_;  ///< by range
  SizeHistogram sizes_;
  alignas(64) std::uint32_t docids_[codecs::kTile] = {};
  ScoreRun run_;
};

}  // namespace

std::uint64_t TilePointers::bytes_for(std::uint64_t documents) {
  const std::uint64_t superblocks = (documents + kSuperblock - 1) / kSuperblock;
  return 2 * superblocks + 4 * ((superblocks + kGroup - 1) / kGroup);
}

TilePointers::TilePointers(const index::PostingList& list, std::uint64_t documents) {
  const auto superblocks = static_cast<std::uint32_t>((documents + kSuperblock - 1) / kSuperblock);
  steps_.reserve(superblocks);
  std::uint32_t tile = 0;
  for (std::uint32_t s = 0; s < superblocks; ++s) {
    while (tile < list.tiles() && list.skips[tile] / kSuperblock < s) ++tile;
    if (s % kGroup == 0) bases_.push_back(tile);
    steps_.push_back(static_cast<std::uint16_t>(tile - bases_.back()));
  }
}

float reached_by(std::span<const float> at_rank, std::span<const std::uint32_t> ranks,
                 std::uint64_t k) {
  const auto rank = std::ranges::lower_bound(ranks, k);
  return rank == ranks.end() ? 0 : at_rank[static_cast<std::size_t>(rank - ranks.begin())];
}

ListBounds make_list_bounds(const index::Segment& segment, const index::PostingList& list,
                            const Contribution& unit, const std::stop_token& stop,
                            const index::LiveDocuments* live) {
  RangeMaxima maxima(segment, list, unit, live);
  for (std::uint32_t tile = 0; tile < list.tiles(); ++tile) {
    if (tile % kTilesPerLook == 0) throw_if_stopped(stop);
    maxima.add(tile);
  }
  ListBounds bounds;
  bounds.list = list;
  bounds.unit = unit;
  bounds.largest = *std::ranges::max_element(maxima.largest());
  const float per_unit = codes_per_unit(bounds.largest);
  bounds.codes.reserve(maxima.largest().size());
  for (const float largest : maxima.largest()) bounds.codes.push_back(code_of(largest, per_unit));
  bounds.pointers = TilePointers(list, segment.statistics().documents);
  for (std::size_t i = 0; i < bounds.at_rank.size(); ++i) {
    bounds.at_rank[i] = maxima.sizes().at_rank(kListRanks[i], bounds.largest);
  }
  return bounds;
}

}  // namespace gannet::query
