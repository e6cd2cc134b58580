// Reading tiles of posting lists in two steps: what is needed to find the payload, by one lane for
// a tile; then the 128 postings, by the warp.
#pragma once

#include "codecs/codec_set.hpp"
#include "codecs/core/unpack_quad.hpp"
#include "codecs/docids.hpp"
#include "query/device/pruned/tables.hpp"

namespace gannet::query::cuda {

using codecs::kLanes;
using codecs::kTile;
using codecs::Quad;
using codecs::WarpLanes;

inline constexpr std::uint32_t kNoDocument = 0xffffffffu;

/// The docid before a tile, or kBeforeFirst.
__device__ inline std::uint32_t docid_before(const std::uint32_t* skips, std::uint32_t tile) {
  return tile == 0 ? codecs::kBeforeFirst : __ldg(skips + tile - 1);
}

/// Puts kNoDocument behind the end of the list.
__device__ inline void mask_docids(Quad& docids, std::uint32_t size) {
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (4 * WarpLanes::id() + i >= size) docids.value[i] = kNoDocument;
  }
}

/// Tiles of lists of any of `Codecs`. Term is PrunedTerm, or has its first members.
template <class Codecs>
struct AnyTiles {
  struct Place {};

  template <class Term>
  __device__ static Place find(const IndexView&, const Term&, std::uint32_t) {
    return {};
  }

  /// The tile's docids, kNoDocument behind the list's end, and its frequencies.
  template <class Term>
  __device__ static void read(const IndexView& index, const Term& term, std::uint32_t tile,
                              std::uint32_t before, const Place&, Quad& docids,
                              Quad& frequencies) {
    const codecs::ListView list{index.words + term.docid_words, term.count};
    WarpLanes::Var<Quad> quad;
    codecs::with_codec<Codecs>(index.docid_codec, [&]<class Codec>() {
      using Tiles = codecs::DocidTiles<Codec>;
      auto cursor = Tiles::seek(WarpLanes{}, list, tile, before);
      Tiles::next(WarpLanes{}, list, codecs::Payload{list.words, 0}, tile, cursor, quad);
    });
    docids = quad.value;
    const codecs::ListView freqs{index.words + term.freq_words, term.count};
    codecs::with_codec<Codecs>(index.freq_codec, [&]<class Codec>() {
      auto cursor = Codec::seek(WarpLanes{}, freqs, tile);
      Codec::next(WarpLanes{}, freqs, codecs::Payload{freqs.words, 0}, tile, cursor, quad);
    });
    frequencies = quad.value;
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) ++frequencies.value[i];  // stored as one less
    mask_docids(docids, codecs::tile_size(term.count, tile));
  }
};

/// Tiles of lists of gpu-bp128, docids and frequencies: what indexes have unless they are told
/// otherwise. Where a tile's payload is can be read long before it is needed.
struct PackedTiles {
  using Codec = codecs::GpuBp<128>;

  struct Place {
    std::uint32_t docids;       ///< the first word, relative to the list's
    std::uint32_t frequencies;  ///< likewise
    std::uint32_t widths;       ///< of the frequencies << 16 | of the docids
  };

  template <class Term>
  __device__ static Place find(const IndexView& index, const Term& term, std::uint32_t tile) {
    const std::uint32_t* const docids = index.words + term.docid_words + tile;
    const std::uint32_t* const freqs = index.words + term.freq_words + tile;
    const std::uint32_t docid_begin = __ldg(docids);
    const std::uint32_t docid_end = __ldg(docids + 1);
    const std::uint32_t freq_begin = __ldg(freqs);
    const std::uint32_t freq_end = __ldg(freqs + 1);
    const std::uint32_t payload = codecs::tile_count(term.count) + 1;
    return {payload + docid_begin, payload + freq_begin,
            (freq_end - freq_begin) / Codec::kWordsPerBit << 16 |
                (docid_end - docid_begin) / Codec::kWordsPerBit};
  }

  template <class Term>
  __device__ static void read(const IndexView& index, const Term& term, std::uint32_t tile,
                              std::uint32_t before, const Place& place, Quad& docids,
                              Quad& frequencies) {
    const std::uint32_t size = codecs::tile_size(term.count, tile);
    // Lanes behind the list's end read what the first one reads: there may be nothing there.
    const std::uint32_t lane = WarpLanes::id() * 4 < size ? WarpLanes::id() : 0;
    unpack(index.words + term.docid_words + place.docids, lane, place.widths & 0xffff, docids);
    unpack(index.words + term.freq_words + place.frequencies, lane, place.widths >> 16,
           frequencies);
    sum_gaps(before, docids);
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) ++frequencies.value[i];  // stored as one less
    if (size < kTile) mask_docids(docids, size);
  }

 private:
  __device__ static void unpack(const std::uint32_t* packed, std::uint32_t lane,
                                std::uint32_t width, Quad& out) {
    codecs::with_width_class(codecs::width_class(width), [&]<codecs::WidthClass kClass>() {
      out = codecs::unpack_quad<kClass>(packed, lane, width);
    });
  }

  __device__ static void sum_gaps(std::uint32_t before, Quad& docids) {
    WarpLanes::Var<std::uint32_t> sum;
    sum.value = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      sum.value += docids.value[i] + 1;
      docids.value[i] = sum.value;
    }
    WarpLanes{}.exclusive_scan(sum);
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) docids.value[i] += before + sum.value;
  }
};

}  // namespace gannet::query::cuda
