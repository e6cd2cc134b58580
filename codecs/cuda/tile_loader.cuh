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
// A plain column is a TileLoader<None>: swapping it for an encoded one changes that line alone.
// (Crystal's BlockLoad against the paper's LoadBitPack, section 7; the idiom is CUB's WarpLoad with
// its TempStorage.) AnyTileLoader takes the codec at run time.
//
// A loader belongs to a warp, whose lanes call its functions together. Tiles are staged in shared
// memory by groups of eight, the group that the warp is expected to load next ahead of time.
#pragma once

#include <cstdint>

#include "gannet/codecs/codec_set.hpp"
#include "gannet/codecs/cuda/async_words.cuh"
#include "gannet/codecs/cuda/group.cuh"

namespace gannet::codecs::cuda {

/// Loads tiles of a column of 32-bit values whose codec is known when the kernel is compiled.
template <class Codec>
class TileLoader {
  static constexpr std::uint32_t kWords = kGroupTiles * Codec::tile_words;

 public:
  /// Shared memory of a warp's loader.
  struct Shared {
    AsyncWords<kWords> words[2];
    std::uint32_t boundaries[2][kGroupTiles + 4];
  };

  /// `column` is in device memory, validated, with 4 readable words behind it. `stride` is how many
  /// groups of eight tiles behind one group the warp will load the next one; 0 if that is unknown.
  __device__ TileLoader(ListView column, Shared& shared, std::uint32_t stride)
      : source_(column), shared_(shared), stride_(stride) {
    shared_.words[0].init();
    shared_.words[1].init();
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
    Codec::next(WarpLanes{}, source_.list, shared_.words[slot_].payload(), tile, cursor_, quad);
    next_tile_ = tile + 1;
    out = quad.value;
  }

  /// Loads the four tiles from `tile`, a multiple of 4, on; 0 beyond the end of the column.
  __device__ void load(std::uint32_t tile, WideQuads& out) {
    open(tile / kGroupTiles);
    if constexpr (HasWide<Codec>) {
      const Group group = source_.group(group_);
      if (group.full(kGroupTiles) && is_wide<Codec>(group.list, group.first)) {
        WarpLanes::Var<WideQuads> quads;
        Codec::next_wide(WarpLanes{}, source_.list, shared_.words[slot_].payload(),
                         shared_.boundaries[slot_] + tile % kGroupTiles, tile, quads);
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
    if constexpr (HasSum<Codec>) {
      const Group group = source_.group(group_);
      if (group.full(kGroupTiles) && is_wide<Codec>(group.list, group.first)) {
        WarpLanes::Var<std::uint64_t> sums{sum};
        Codec::sum_group(WarpLanes{}, source_.list, shared_.words[slot_].payload(),
                         shared_.boundaries[slot_], is_signed, sums);
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
    const Located at = locate<Codec, kGroupTiles>(group);
    __syncwarp();
    shared_.words[slot].start(group.list.words, at.extent);
    if (WarpLanes::id() <= kGroupTiles) {
      shared_.boundaries[slot][WarpLanes::id()] = at.boundary;
    }
  }

  __device__ void arrive(std::uint32_t slot) {
    shared_.words[slot].wait(parities_ >> slot & 1);
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

/// Most words of a group of eight tiles, over a list of codecs.
template <class... Codec>
constexpr std::uint32_t most_group_words(std::tuple<Codec...>*) {
  std::uint32_t most = 0;
  ((most = most > Codec::tile_words ? most : Codec::tile_words), ...);
  return kGroupTiles * most;
}

/// Loads tiles of a column of 32-bit values whose codec is known at run time only: any of
/// AllCodecs. The codec is asked for once a group of eight tiles, which is decoded to shared
/// memory; loading a tile reads it from there.
class AnyTileLoader {
  static constexpr std::uint32_t kWords = most_group_words(static_cast<AllCodecs*>(nullptr));

 public:
  struct Shared {
    uint4 words[(staged_words(kWords) + kOverread) / 4];
    std::uint32_t boundaries[kGroupTiles + 4];
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
    with_codec<AllCodecs>(codec_, [&]<class Codec>() {
      const Located at = locate<Codec, kGroupTiles>(group);
      __syncwarp();
      if (WarpLanes::id() <= kGroupTiles) shared_.boundaries[WarpLanes::id()] = at.boundary;
      const Payload payload = stage(group.list.words, at.extent, shared_.words);
      decode_group<Codec, kGroupTiles, Content::kValues>(
          group, payload, shared_.boundaries,
          [&](std::uint32_t tile, const Quad& quad, std::uint32_t) {
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
