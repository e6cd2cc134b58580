// Inline decompression: loading a tile of an encoded column is one call, whichever the codec.
//
//   __shared__ typename TileLoader<GpuFor>::Shared shared[kWarps];          // the one line that
//   TileLoader<GpuFor> price(column, shared[warp], stride);                 // names the codec
//   for (group = first; group < groups; group += stride) {
//     for (tile = 8 * group; tile < 8 * group + 8; tile += 4) {
//       WideQuads quads;                  // or Quad, and one tile at a time
//       price.load(tile, quads);
//       ... quads.tile[i].value[k] is value 128 (tile + i) + 4 lane + k of the column ...
//
// A plain column is a TileLoader<RawTiles>: swapping it for an encoded one changes that line alone.
// (Crystal's BlockLoad against the paper's LoadBitPack, section 7; the idiom is CUB's WarpLoad with
// its TempStorage.) AnyTileLoader takes the codec at run time.
//
// A loader belongs to a warp, whose lanes call its functions together. Tiles are staged in shared
// memory by groups of eight, the group that the warp is expected to load next ahead of time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "codecs/core/codec_set.hpp"
#include "codecs/device/detail/async_words.cuh"
#include "codecs/device/detail/group.cuh"

namespace gannet::codecs::cuda {

/// Loads tiles of a column of 32-bit values whose codec is known when the kernel is compiled.
template <class Codec>
class TileLoader {
  static constexpr std::uint32_t kWords = kGroupTiles * Codec::tile_words;
  static constexpr std::uint32_t kLengths = lengths_words<Codec>(kGroupTiles);

 public:
  /// Shared memory of a warp's loader.
  struct Shared {
    uint4 words[2][room_units(kWords)];
    uint4 lengths[2][kLengths > 0 ? room_units(kLengths) : 1];
    AsyncGroup<Codec, kGroupTiles> groups[2];
    uint4 scratch[Codec::traits.scratch_words > 0 ? (Codec::traits.scratch_words + 3) / 4 : 1];
  };

  /// `column` is in device memory, validated, with 4 readable words behind it. `stride` is how many
  /// groups of eight tiles behind one group the warp will load the next one; 0 if that is unknown.
  __device__ TileLoader(ListView column, Shared& shared, std::uint32_t stride)
      : source_(column), shared_(shared), stride_(stride) {
    shared_.groups[0].init();
    shared_.groups[1].init();
  }

  // A copy under way must land before its shared memory is given up.
  __device__ ~TileLoader() {
    if (coming_ != kNone) arrive(slot_ ^ 1);
  }
  TileLoader(const TileLoader&) = delete;
  TileLoader& operator=(const TileLoader&) = delete;

  /// Loads one tile (any below tile_count(column.count)): the lane's four values; 0 beyond the end
  /// of the column. Tiles in ascending order are fastest.
  __device__ void load(std::uint32_t tile, Quad& out) {
    open(tile / kGroupTiles);
    if (tile != next_tile_) cursor_ = Codec::seek(WarpLanes{}, source_.list, tile);
    WarpLanes::Var<Quad> quad;
    Codec::next(WarpLanes{}, source_.list, staged(0).payload, tile, cursor_, quad);
    next_tile_ = tile + 1;
    out = quad.value;
  }

  /// Loads the four tiles from `tile`, a multiple of 4, on; 0 beyond the end of the column.
  __device__ void load(std::uint32_t tile, WideQuads& out) {
    open(tile / kGroupTiles);
    if constexpr (WideTileCodec<Codec>) {
      const Group group = source_.group(group_);
      if (group.full(kGroupTiles)) {
        WarpLanes::Var<WideQuads> quads;
        Codec::next_wide(WarpLanes{}, staged(tile % kGroupTiles), tile, quads);
        out = quads.value;
        return;
      }
    }
#pragma unroll
    for (std::uint32_t i = 0; i < kWideTiles; ++i) {
      out.tile[i] = {};
      if (tile + i < tile_count(source_.list.count)) load(tile + i, out.tile[i]);
    }
  }

  /// For whoever wants the sum of values and no value at its place: adds the values of the eight
  /// tiles from `tile`, a multiple of 8, on, to the lanes' sums, in any order and to any lane's.
  /// They are taken as signed or unsigned 32-bit numbers; sums are modulo 2^64.
  __device__ void add(std::uint32_t tile, bool is_signed, std::uint64_t& sum) {
    open(tile / kGroupTiles);
    if constexpr (SummingTileCodec<Codec>) {
      const Group group = source_.group(group_);
      if (group.full(kGroupTiles)) {
        WarpLanes::Var<std::uint64_t> sums{sum};
        Codec::sum_groups(WarpLanes{}, staged(0), 1, is_signed, sums);
        sum = sums.value;
        return;
      }
    }
#pragma unroll 1
    for (std::uint32_t t = tile; t < tile + kGroupTiles; t += kWideTiles) {
      WideQuads quads;
      load(t, quads);
#pragma unroll
      for (const Quad& quad : quads.tile) {
#pragma unroll
        for (const std::uint32_t value : quad.value) {
          sum += is_signed ? static_cast<std::uint64_t>(
                                 static_cast<std::int64_t>(static_cast<std::int32_t>(value)))
                           : value;
        }
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  /// Sees to it that a group is staged, and starts to stage the one expected next.
  __device__ void open(std::uint32_t group) {
    if (group == group_) return;
    if (coming_ != kNone) arrive(slot_ ^ 1);
    slot_ ^= 1;
    if (coming_ != group) {
      start(slot_, group);
      arrive(slot_);
    }
    group_ = group;
    next_tile_ = kNone;
    coming_ = kNone;
    if (stride_ > 0 && group + std::uint64_t{stride_} < source_.groups) {
      coming_ = group + stride_;
      start(slot_ ^ 1, coming_);
    }
  }

  __device__ void start(std::uint32_t slot, std::uint32_t i) {
    const Group group = source_.group(i);
    const bool full = group.full(kGroupTiles);
    const Located at = locate<Codec>(group, kGroupTiles, full);
    const Extent extent = payload_extent<Codec>(group.list, group.first, at, kGroupTiles, full);
    __syncwarp();
    shared_.groups[slot].start(group.list.words, at, extent, room(slot));
  }

  __device__ AsyncRoom room(std::uint32_t slot) const {
    return {shared_.words[slot], shared_.lengths[slot], kWords, kLengths};
  }

  /// The open group, as of its tile `first` on.
  __device__ StagedTiles staged(std::uint32_t first) const {
    StagedTiles tiles = shared_.groups[slot_].tiles(source_.list, room(slot_), shared_.scratch);
    tiles.boundaries += first;
    return tiles;
  }

  __device__ void arrive(std::uint32_t slot) {
    shared_.groups[slot].wait(parities_ >> slot & 1);
    parities_ ^= 1u << slot;
  }

  ColumnSource<kGroupTiles> source_;
  Shared& shared_;
  std::uint32_t stride_;
  std::uint32_t slot_ = 0;
  std::uint32_t group_ = kNone;
  std::uint32_t coming_ = kNone;  ///< group on its way to the other slot
  std::uint32_t parities_ = 0;
  std::uint32_t next_tile_ = kNone;  ///< the tile that cursor_ stands before
  typename Codec::Cursor cursor_{};
};

/// The largest room for eight tiles, over a list of codecs.
template <class... Codec>
auto any_room(std::tuple<Codec...>*) {
  constexpr std::uint32_t kWords = std::max({Codec::tile_words...});
  constexpr std::uint32_t kLengths = std::max({lengths_words<Codec>(1)...});
  constexpr std::uint32_t kScratch = std::max({Codec::traits.scratch_words...});
  return GroupRoom<kGroupTiles, kGroupTiles * kWords, kGroupTiles * kLengths, kScratch>{};
}

/// Loads tiles of a column of 32-bit values whose codec is known at run time only: any of
/// TileCodecs. The codec is asked for once a group of eight tiles, which is decoded to shared
/// memory; loading a tile reads it from there.
class AnyTileLoader {
 public:
  struct Shared {
    decltype(any_room(static_cast<TileCodecs*>(nullptr))) room;
    Quad values[kGroupTiles * kLanes];
  };

  /// `column` as for TileLoader.
  __device__ AnyTileLoader(CodecId codec, ListView column, Shared& shared)
      : codec_(codec), source_(column), shared_(shared) {}

  /// As TileLoader's.
  __device__ void load(std::uint32_t tile, Quad& out) {
    open(tile / kGroupTiles);
    out = shared_.values[tile % kGroupTiles * kLanes + WarpLanes::id()];
  }

 private:
  __device__ void open(std::uint32_t i) {
    if (i == group_) return;
    group_ = i;
    const Group group = source_.group(i);
    with_codec<TileCodecs>(codec_, [&]<class Codec>() {
      const StagedTiles staged = shared_.room.template fill<Codec>(group);
      decode_group<Codec, kGroupTiles, Content::kValues>(
          group, staged, [&](std::uint32_t tile, const Quad& quad, std::uint32_t) {
            shared_.values[tile % kGroupTiles * kLanes + WarpLanes::id()] = quad;
          });
    });
    __syncwarp();
  }

  CodecId codec_;
  ColumnSource<kGroupTiles> source_;
  Shared& shared_;
  std::uint32_t group_ = 0xffffffffu;
};

}  // namespace gannet::codecs::cuda
