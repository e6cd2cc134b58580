// Reading one posting list with one warp: skipping to a document, decoding a tile, scoring its
// postings.
#pragma once

#include "codecs/codec_set.hpp"
#include "codecs/docids.hpp"
#include "query/gpu/device/kernels/host_reads.cuh"
#include "query/gpu/plan/warp_memory.hpp"

namespace gannet::query::cuda {

using codecs::kLanes;
using codecs::Quad;
using codecs::WarpLanes;

inline constexpr std::uint32_t kNoDocument = 0xffffffffu;

/// One list of the query that the warp is running. All lanes have equal members.
/// `Codecs` and `Scorers` are the tuples of codecs and scorers that the kernel knows.
template <class Codecs, class Scorers>
class ListReader {
 public:
  __device__ ListReader(const IndexView& index, const BatchTerm& term, ListCursor* cursor)
      : index_(index),
        term_(term),
        skips_(index.skips + term.first_tile),
        state_(cursor),
        cursor_(*cursor) {}

  /// Must be called when the warp is done with the list for now.
  __device__ void save() const {
    __syncwarp();
    if (WarpLanes::id() == 0) *state_ = cursor_;
    __syncwarp();
  }

  __device__ bool exhausted() const { return cursor_.tile >= tiles(); }
  __device__ std::uint32_t next_document() const { return cursor_.next; }
  __device__ std::uint32_t tile_last() const { return cursor_.last; }

  /// Skips the tiles that end before `target`. Returns whether any is left.
  __device__ bool seek(std::uint32_t target) {
    if (exhausted()) return false;
    if (cursor_.last >= target) return true;
    find_tile(target);
    return !exhausted();
  }

  /// Goes on to the next tile.
  __device__ void advance() {
    const std::uint32_t next = cursor_.last + 1;
    ++cursor_.tile;
    cursor_.cached = 0;
    cursor_.last = exhausted() ? kNoDocument : skips_[cursor_.tile];
    cursor_.next = exhausted() ? kNoDocument : next;
  }

  /// Call it after reading the documents before `document` from the current tile, `docids`.
  __device__ void set_next(const uint4& docids, std::uint32_t document) {
    std::uint32_t least = kNoDocument;
    for (const std::uint32_t docid : {docids.x, docids.y, docids.z, docids.w}) {
      if (docid >= document) least = min(least, docid);
    }
    cursor_.next = WarpLanes::least(least);
  }

  /// An upper bound of the contributions of postings from the current tile on and before document
  /// `end`; `end` is no more than 32 tiles of documents away. Infinity for a scorer that is not
  /// monotone.
  __device__ float bound(std::uint32_t end) const {
    const std::uint32_t tile = cursor_.tile + WarpLanes::id();
    const bool reaches = tile < tiles() && (WarpLanes::id() == 0 || skips_[tile - 1] + 1 < end);
    float bound = 0;
    if (reaches) {
      bound = largest_contribution(__ldg(index_.max_freqs + term_.first_tile + tile),
                                   __ldg(index_.min_lengths + term_.first_tile + tile));
    }
    // Contributions may be a few units in the last place off the monotone function (concepts.hpp).
    constexpr float kMargin = 1.000001f;
    return __uint_as_float(WarpLanes::greatest(__float_as_uint(bound))) * kMargin;
  }

  /// The current tile's docids and their contributions: all of them if the tile is then cached,
  /// else those of [begin, end). Decodes it, or takes it from the cache.
  __device__ void read(CachedTile* cache, std::uint32_t begin, std::uint32_t end, uint4& docids,
                       float4& contributions, std::uint32_t& decoded) {
    CachedTile* slot = term_.slot == kNone ? nullptr : cache + term_.slot;
    if (cursor_.cached) {
      docids = slot->docids[WarpLanes::id()];
      contributions = slot->contributions[WarpLanes::id()];
      return;
    }
    ++decoded;
    if (WarpLanes::id() == 0) {
      count_host_read(index_, term_, 2 * crossing(docid_tile_bytes(term_)));
    }
    decode_docids(docids);
    const bool keep = slot != nullptr && cursor_.last >= end;
    score(keep ? 0 : begin, keep ? index_.documents : end, docids, contributions);
    if (keep) {
      slot->docids[WarpLanes::id()] = docids;
      slot->contributions[WarpLanes::id()] = contributions;
      cursor_.cached = 1;
    }
  }

 private:
  __device__ std::uint32_t tiles() const { return codecs::tile_count(term_.count); }

  __device__ void set_tile(std::uint32_t tile, std::uint32_t last, std::uint32_t next) {
    cursor_ = {tile, last, next, 0};
  }

  /// Finds the first tile after the current one that ends at or after `target`: first among the
  /// next 32, then by a 32-ary search over the rest. The list is exhausted if there is none.
  __device__ void find_tile(std::uint32_t target) {
    std::uint32_t low = cursor_.tile + 1;
    std::uint32_t before = cursor_.last;
    std::uint32_t high = tiles();
    if (search_tiles(low, high, before, target)) return;
    low += kLanes;
    while (low < high) {
      const std::uint32_t step = codecs::ceil_div(high - low, kLanes);
      if (step == 1) {
        if (search_tiles(low, high, target - 1, target)) return;
        break;
      }
      const std::uint32_t probe = min(low + (WarpLanes::id() + 1) * step, high) - 1;
      const unsigned reach = __ballot_sync(WarpLanes::kAll, skips_[probe] >= target);
      if (reach == 0) break;
      low += (__ffs(static_cast<int>(reach)) - 1) * step;
      high = min(low + step, high);
    }
    set_tile(tiles(), kNoDocument, kNoDocument);
  }

  /// Searches up to 32 tiles from `low`; takes the first that reaches `target`, if any does.
  /// `before` is a docid that is known to be before the documents of tile `low`. False, and
  /// nothing changed, if none of them does.
  __device__ bool search_tiles(std::uint32_t low, std::uint32_t high, std::uint32_t before,
                               std::uint32_t target) {
    const std::uint32_t mine = low + WarpLanes::id();
    const std::uint32_t last = mine < high ? skips_[mine] : 0;
    const unsigned reach = __ballot_sync(WarpLanes::kAll, mine < high && last >= target);
    if (reach == 0) return false;
    const int found = __ffs(static_cast<int>(reach)) - 1;
    const std::uint32_t previous = __shfl_sync(WarpLanes::kAll, last, max(found - 1, 0));
    set_tile(low + static_cast<std::uint32_t>(found), __shfl_sync(WarpLanes::kAll, last, found),
             max(target, (found > 0 ? previous : before) + 1));
    return true;
  }

  __device__ void decode_docids(uint4& docids) const {
    const codecs::ListView list{index_.words + term_.docid_words, term_.count};
    const std::uint32_t tile = cursor_.tile;
    const std::uint32_t previous = tile == 0 ? codecs::kBeforeFirst : skips_[tile - 1];
    WarpLanes::Var<Quad> quad;
    codecs::with_codec<Codecs>(index_.docid_codec, [&]<class Codec>() {
      using Tiles = codecs::DocidTiles<Codec>;
      auto cursor = Tiles::seek(WarpLanes{}, list, tile, previous);
      Tiles::next(WarpLanes{}, list, codecs::Payload{list.words, 0}, tile, cursor, quad);
    });
    const std::uint32_t size = codecs::tile_size(term_.count, tile);
    const std::uint32_t first = 4 * WarpLanes::id();
    docids.x = first < size ? quad.value.value[0] : kNoDocument;
    docids.y = first + 1 < size ? quad.value.value[1] : kNoDocument;
    docids.z = first + 2 < size ? quad.value.value[2] : kNoDocument;
    docids.w = first + 3 < size ? quad.value.value[3] : kNoDocument;
  }

  /// Contributions of the documents in [begin, end); 0 for the others.
  __device__ void score(std::uint32_t begin, std::uint32_t end, const uint4& docids,
                        float4& contributions) const {
    const codecs::ListView list{index_.words + term_.freq_words, term_.count};
    const std::uint32_t tile = cursor_.tile;
    WarpLanes::Var<Quad> quad;
    codecs::with_codec<Codecs>(index_.freq_codec, [&]<class Codec>() {
      auto cursor = Codec::seek(WarpLanes{}, list, tile);
      Codec::next(WarpLanes{}, list, codecs::Payload{list.words, 0}, tile, cursor, quad);
    });
    const Quad& freqs = quad.value;
    contributions.x = score_one(begin, end, docids.x, freqs.value[0]);
    contributions.y = score_one(begin, end, docids.y, freqs.value[1]);
    contributions.z = score_one(begin, end, docids.z, freqs.value[2]);
    contributions.w = score_one(begin, end, docids.w, freqs.value[3]);
  }

  __device__ float score_one(std::uint32_t begin, std::uint32_t end, std::uint32_t docid,
                             std::uint32_t coded) const {
    if (docid < begin || docid >= end) return 0;
    float value = 0;
    with_scorer<Scorers>(term_.scoring.scorer, [&]<class S>() {
      value = S::contribution(term_.scoring, term_.constants, coded + 1,
                              __ldg(index_.lengths + term_.lengths + docid));
    });
    return value;
  }

  __device__ float largest_contribution(std::uint32_t max_frequency,
                                        std::uint32_t min_length) const {
    constexpr std::uint32_t kInfinity = 0x7f800000u;
    float value = 0;
    with_scorer<Scorers>(term_.scoring.scorer, [&]<class S>() {
      if constexpr (S::monotone) {
        value = S::contribution(term_.scoring, term_.constants, max_frequency, min_length);
      } else {
        value = __uint_as_float(kInfinity);
      }
    });
    return value;
  }

  const IndexView& index_;
  const BatchTerm& term_;
  const std::uint32_t* skips_;
  ListCursor* state_;
  ListCursor cursor_;
};

}  // namespace gannet::query::cuda
