// Reading tiles of posting lists in two steps: one lane per tile reads what is needed to find the
// payload; then the warp reads the 128 postings.
#pragma once

#include "codecs/codec_set.hpp"
#include "codecs/core/unpack_quad.hpp"
#include "codecs/docids.hpp"
#include "query/gpu/device/kernels/host_reads.cuh"
#include "query/gpu/plan/pruned/tables.hpp"

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

/// The docid before a lane's first one, which is kBeforeFirst for the list's first. `docids`: of
/// the tile; `before`: the docid before it.
__device__ inline std::uint32_t docid_before_lane(const Quad& docids, std::uint32_t before) {
  const std::uint32_t previous = __shfl_up_sync(WarpLanes::kAll, docids.value[3], 1);
  return WarpLanes::id() == 0 ? before : previous;
}

/// Puts kNoDocument behind the end of the list.
__device__ inline void mask_docids(Quad& docids, std::uint32_t size) {
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (4 * WarpLanes::id() + i >= size) docids.value[i] = kNoDocument;
  }
}

/// Keeps the last docid of each small group of a tile: what is before the next one.
__device__ inline void write_groups(const Quad& docids, std::uint32_t tile, std::uint32_t last,
                                    std::uint32_t* groups) {
  constexpr std::uint32_t kLanesPerGroup = kSmallGroup / 4;
  if (tile == 0 && WarpLanes::id() == 0) groups[0] = codecs::kBeforeFirst;
  if (WarpLanes::id() % kLanesPerGroup != kLanesPerGroup - 1) return;
  // Behind the list's end there is no docid.
  groups[tile * kGroupsPerTile + WarpLanes::id() / kLanesPerGroup + 1] = min(docids.value[3], last);
}

/// Values packed by gpu-bp128, one at a time.
struct PackedValues {
  using Codec = codecs::GpuBp<128>;

  /// Where a tile's payload is, as a struct of its first word and its width.
  template <class Place>
  __device__ static Place find(const std::uint32_t* words, std::uint32_t count,
                               std::uint32_t tile) {
    const std::uint32_t begin = __ldg(words + tile);
    const std::uint32_t end = __ldg(words + tile + 1);
    return {codecs::tile_count(count) + 1 + begin, (end - begin) / Codec::kWordsPerBit};
  }

  /// The frequency of a posting, given by its number.
  __device__ static std::uint32_t frequency(const ListLocation& list, std::uint32_t posting) {
    struct Place {
      std::uint32_t word, width;
    };
    const std::uint32_t* const words = list.freq_words;
    const Place place = find<Place>(words, list.count, posting / kTile);
    return codecs::extract(words + place.word, posting % kTile * place.width, place.width) + 1;
  }
};

/// What reading where a tile begins takes of the bus.
inline constexpr std::uint32_t kPlaceBytes = kSectorBytes;

/// Counts a tile that a warp reads, if the device has not the list: frequencies as if they took as
/// much as docids.
template <class Tiles>
__device__ void count_tile(const IndexView& index, const ListLocation& list,
                           const typename Tiles::Place& place) {
  if (WarpLanes::id() != 0) return;
  const std::uint32_t docids = kTile / Tiles::kGroup * Tiles::group_bytes(list, place);
  count_host_read(index, list, 2 * (kPlaceBytes + crossing(docids)));
}

/// Tiles of lists of any of `Codecs`.
template <class Codecs>
struct AnyTiles {
  /// Postings of a group.
  static constexpr std::uint32_t kGroup = kTile;
  struct Place {};

  __device__ static Place find(const IndexView&, const ListLocation&, std::uint32_t) { return {}; }

  /// Bytes of a group of docids.
  __device__ static std::uint32_t group_bytes(const ListLocation& list, const Place&) {
    return docid_tile_bytes(list);
  }

  /// The tile's docids, kNoDocument behind the list's end.
  __device__ static void read_docids(const IndexView& index, const ListLocation& list,
                                     std::uint32_t tile, std::uint32_t before, const Place&,
                                     Quad& docids) {
    const codecs::ListView coded{list.docid_words, list.count};
    WarpLanes::Var<Quad> quad;
    codecs::with_codec<Codecs>(index.docid_codec, [&]<class Codec>() {
      using Tiles = codecs::DocidTiles<Codec>;
      auto cursor = Tiles::seek(WarpLanes{}, coded, tile, before);
      Tiles::next(WarpLanes{}, coded, codecs::Payload{coded.words, 0}, tile, cursor, quad);
    });
    docids = quad.value;
    mask_docids(docids, codecs::tile_size(list.count, tile));
  }

  /// A docid that is not behind the first one of the next tile, which there is. `last`: the tile's
  /// last docid.
  __device__ static std::uint32_t docid_behind(const IndexView&, const ListLocation&, std::uint32_t,
                                               std::uint32_t last) {
    return last + 1;
  }

  /// The docids of the lane's group, and the docid before its first one; a warp reads one group.
  __device__ static void read_group(const IndexView& index, const ListLocation& list,
                                    std::uint32_t group, std::uint32_t before, const Place& place,
                                    bool, Quad& docids, std::uint32_t& previous) {
    read_docids(index, list, group, before, place, docids);
    previous = docid_before_lane(docids, before);
  }

  /// The tile's frequencies; anything behind the list's end.
  __device__ static void read_frequencies(const IndexView& index, const ListLocation& list,
                                          std::uint32_t tile, Quad& frequencies) {
    const codecs::ListView coded{list.freq_words, list.count};
    WarpLanes::Var<Quad> quad;
    codecs::with_codec<Codecs>(index.freq_codec, [&]<class Codec>() {
      auto cursor = Codec::seek(WarpLanes{}, coded, tile);
      Codec::next(WarpLanes{}, coded, codecs::Payload{coded.words, 0}, tile, cursor, quad);
    });
    frequencies = quad.value;
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) ++frequencies.value[i];  // stored as one less
  }

  /// The frequency of a posting, given by its number, for each lane that asks for one. Called by a
  /// converged warp.
  __device__ static std::uint32_t frequency(const IndexView& index, const ListLocation& list,
                                            std::uint32_t posting, bool asked) {
    if (index.freq_codec == PackedValues::Codec::id) {
      return asked ? PackedValues::frequency(list, posting) : 0;
    }
    std::uint32_t found = 0;
    std::uint32_t left = __ballot_sync(WarpLanes::kAll, asked);
    for (; left != 0; left &= left - 1) {
      const int owner = __ffs(static_cast<int>(left)) - 1;
      const std::uint32_t wanted = __shfl_sync(WarpLanes::kAll, posting, owner);
      Quad four;
      read_frequencies(index, list, wanted / kTile, four);
      const std::uint32_t at = wanted % 4;
      const std::uint32_t mine = at == 0   ? four.value[0]
                                 : at == 1 ? four.value[1]
                                 : at == 2 ? four.value[2]
                                           : four.value[3];
      const std::uint32_t value =
          __shfl_sync(WarpLanes::kAll, mine, static_cast<int>(wanted % kTile / 4));
      if (static_cast<int>(WarpLanes::id()) == owner) found = value;
    }
    return found;
  }
};

/// Tiles of lists of gpu-bp128, docids and frequencies: what indexes have unless they are told
/// otherwise. Where a tile's payload is can be read long before it is needed.
struct PackedTiles {
  using Codec = PackedValues::Codec;
  static constexpr std::uint32_t kGroup = kSmallGroup;

  /// Where a tile's payload is.
  struct Place {
    std::uint32_t word;  ///< the first one, relative to the list's
    std::uint32_t width;
  };

  __device__ static Place find(const IndexView&, const ListLocation& list, std::uint32_t tile) {
    return PackedValues::find<Place>(list.docid_words, list.count, tile);
  }

  /// Bytes of a group of docids.
  __device__ static std::uint32_t group_bytes(const ListLocation&, const Place& place) {
    return place.width * (kGroup / 8);
  }

  __device__ static void read_docids(const IndexView&, const ListLocation& list, std::uint32_t tile,
                                     std::uint32_t before, const Place& place, Quad& docids) {
    const std::uint32_t size = codecs::tile_size(list.count, tile);
    unpack(list.docid_words, place, size, docids);
    sum_gaps(before, docids);
    if (size < kTile) mask_docids(docids, size);
  }

  /// The first docid of the next tile, which there is. `last`: the tile's last docid.
  __device__ static std::uint32_t docid_behind(const IndexView& index, const ListLocation& list,
                                               std::uint32_t tile, std::uint32_t last) {
    const Place place = find(index, list, tile + 1);
    return last + 1 + codecs::extract(list.docid_words + place.word, 0, place.width);
  }

  /// The docids of the lane's group, kNoDocument behind the list's end and if there is no group,
  /// and the docid before its first one. A warp reads four groups; eight lanes have the same
  /// arguments.
  __device__ static void read_group(const IndexView&, const ListLocation& list, std::uint32_t group,
                                    std::uint32_t before, const Place& place, bool there,
                                    Quad& docids, std::uint32_t& previous) {
    constexpr std::uint32_t kLanesPerGroup = kGroup / 4;
    const std::uint32_t lane = WarpLanes::id() % kLanesPerGroup;
    const std::uint32_t first = group % kGroupsPerTile * kLanesPerGroup;
    const std::uint32_t left = there ? list.count - group * kGroup : 0;
    // Lanes behind the list's end read what the group's first lane reads, since there may be no
    // memory behind the list.
    const std::uint32_t quad = first + (lane * 4 < left ? lane : 0);
    const std::uint32_t* const packed = list.docid_words + place.word;
    if (place.width <= 16) {
      docids = codecs::unpack_quad<codecs::WidthClass::kUpTo16>(packed, quad, place.width);
    } else {
      docids = codecs::unpack_quad<codecs::WidthClass::kUpTo32>(packed, quad, place.width);
    }
    std::uint32_t sum = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) docids.value[i] = sum += docids.value[i] + 1;
    const std::uint32_t own = sum;
#pragma unroll
    for (std::uint32_t step = 1; step < kLanesPerGroup; step *= 2) {
      const std::uint32_t below = __shfl_up_sync(WarpLanes::kAll, sum, step, kLanesPerGroup);
      if (lane >= step) sum += below;
    }
    previous = before + sum - own;
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) {
      docids.value[i] = lane * 4 + i < left ? docids.value[i] + previous : kNoDocument;
    }
  }

  __device__ static void read_frequencies(const IndexView&, const ListLocation& list,
                                          std::uint32_t tile, Quad& frequencies) {
    const std::uint32_t* const words = list.freq_words;
    const Place place = PackedValues::find<Place>(words, list.count, tile);
    unpack(words, place, codecs::tile_size(list.count, tile), frequencies);
#pragma unroll
    for (std::uint32_t i = 0; i < 4; ++i) ++frequencies.value[i];  // stored as one less
  }

  __device__ static std::uint32_t frequency(const IndexView&, const ListLocation& list,
                                            std::uint32_t posting, bool asked) {
    return asked ? PackedValues::frequency(list, posting) : 0;
  }

 private:
  __device__ static void unpack(const std::uint32_t* words, const Place& place, std::uint32_t size,
                                Quad& out) {
    // Lanes behind the list's end read what the first lane reads, since there may be no memory
    // behind the list.
    const std::uint32_t lane = WarpLanes::id() * 4 < size ? WarpLanes::id() : 0;
    codecs::with_width_class(codecs::width_class(place.width), [&]<codecs::WidthClass kClass>() {
      out = codecs::unpack_quad<kClass>(words + place.word, lane, place.width);
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
