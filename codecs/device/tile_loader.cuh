// Inline decompression: a kernel loads a tile of an encoded column by one call, whatever the codec.
//
//   // On the host. Only the first line names the codec of the column.
//   using Loader = TileLoader<GpuFor>;
//   const auto plan = Loader::plan(column.plan().tile_words, Stage::kAhead);
//   kernel<<<blocks, 32 * kWarps, kWarps * Loader::shared_bytes(plan), stream>>>(view, plan, ...);
//
//   // In the kernel.
//   extern __shared__ uint4 memory[];
//   Loader price(column, plan, memory + warp * Loader::shared_units(plan), stride);
//   for (group = first; group < groups; group += stride) {
//     for (tile = 8 * group; tile < 8 * group + 8; tile += 4) {
//       WideQuads quads;                  // or Quad, and one tile at a time
//       price.load(tile, quads);
//       ... quads.tile[i].value[k] is value 128 (tile + i) + 4 lane + k of the column ...
//
// TileLoader<RawTiles> loads a plain column, so that encoding a column changes only the line that
// names the codec. Source: Shanbhag, Yogatama, Yu, Madden, "Tile-based Lightweight Integer
// Compression in GPU", SIGMOD 2022, section 7, where LoadBitPack replaces Crystal's BlockLoad.
// Shared memory is passed in as CUB's WarpLoad takes its TempStorage. AnyTileLoader takes the codec
// at run time. GroupLoader (group_loader.cuh) loads groups of several columns at once.
//
// A loader belongs to one warp. All lanes of the warp call its functions together, converged. Tiles
// are staged in shared memory in groups of eight. TileLoader::plan() reserves about 5/4 of the
// words that a group of the column takes on average: about 1.5 KiB for 8-bit values, twice that
// with Stage::kAhead. A larger group is decoded from global memory, which is slower and gives equal
// values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "codecs/codec_set.hpp"
#include "codecs/device/detail/async_words.cuh"
#include "codecs/device/detail/group.cuh"

namespace gannet::codecs::cuda {

/// Which groups of tiles a loader stages in shared memory.
enum class Stage : std::uint32_t {
  kOne = 1,    ///< the current group
  kAhead = 2,  ///< the current group, and ahead of time the group that is expected next
};

/// The layout of a TileLoader's shared memory. Made on the host, passed to the kernel by value.
struct TileLoaderPlan {
  StageLayout stage;
  std::uint32_t slots;  ///< groups that are staged: 1 or 2
};

/// Loads tiles of a column of 32-bit values whose codec is known at compile time. A tile codec
/// codes columns of narrower types as 32-bit values too, extended with their sign.
template <class Codec>
class TileLoader {
  static constexpr std::uint32_t kControlUnits = 2 * sizeof(AsyncGroup<Codec>) / sizeof(uint4);

 public:
  /// The plan for a column with `tile_words` words per tile (ColumnPlan::tile_words).
  static constexpr TileLoaderPlan plan(std::uint32_t tile_words, Stage stage) {
    return {usual_layout<Codec>(kGroupTiles, tile_words, Copy::kInBackground),
            static_cast<std::uint32_t>(stage)};
  }

  /// The plan for any column: every group is staged. 4.2 to 8.1 KiB for a warp with
  /// Stage::kOne, 8.4 to 13.6 KiB with Stage::kAhead, depending on the codec.
  static constexpr TileLoaderPlan largest_plan(Stage stage) {
    return {largest_layout<Codec>(kGroupTiles, Copy::kInBackground),
            static_cast<std::uint32_t>(stage)};
  }

  /// Shared memory of one warp's loader, in units of 16 bytes (shared_units) and in bytes.
  GANNET_HD static constexpr std::uint32_t shared_units(const TileLoaderPlan& plan) {
    return kControlUnits + stage_units<Codec>(plan.stage, plan.slots);
  }
  GANNET_HD static constexpr std::size_t shared_bytes(const TileLoaderPlan& plan) {
    return shared_units(plan) * sizeof(uint4);
  }

  /// `column` is in device memory, validated and 16-byte aligned, with 4 readable words behind it.
  /// `shared` is shared memory of shared_units(plan) units, which only this loader may use until
  /// its destructor has run. `stride` is the distance, in groups of eight tiles, from one group
  /// that the warp loads to the next one; 0 if the distance is unknown. Only Stage::kAhead uses
  /// `stride`. A warp may load other groups than those that `stride` announces: they are not staged
  /// ahead then.
  __device__ TileLoader(ListView column, const TileLoaderPlan& plan, uint4* shared,
                        std::uint32_t stride)
      : source_(column),
        plan_(plan),
        control_(reinterpret_cast<AsyncGroup<Codec>*>(shared)),
        memory_(shared + kControlUnits),
        stride_(plan.slots > 1 ? stride : 0) {
    control_[0].init();
    control_[1].init();
  }

  // A copy under way must end before others use the shared memory.
  __device__ ~TileLoader() {
    if (coming_ != kNone) arrive(other());
    control_[0].end();
    control_[1].end();
  }
  TileLoader(const TileLoader&) = delete;
  TileLoader& operator=(const TileLoader&) = delete;

  /// Loads tile `tile` (below tile_count(column.count)): element k of `out` is value
  /// 128 tile + 4 lane + k of the column, or 0 beyond its end. Tiles may be loaded in any order;
  /// ascending order is fastest.
  __device__ void load(std::uint32_t tile, Quad& out) {
    open(tile / kGroupTiles);
    if (tile != next_tile_) cursor_ = Codec::seek(WarpLanes{}, source_.list, tile);
    WarpLanes::Var<Quad> quad;
    if (is_staged()) {
      Codec::next(WarpLanes{}, source_.list, staged(0).payload, tile, cursor_, quad);
    } else {
      Codec::next(WarpLanes{}, source_.list, Payload{source_.list.words, 0}, tile, cursor_, quad);
    }
    next_tile_ = tile + 1;
    out = quad.value;
  }

  /// Loads tiles [tile, tile + 4), where `tile` is a multiple of 4 and below
  /// tile_count(column.count): out.tile[i] is what load(tile + i, ...) returns, zeros for tiles
  /// beyond the end of the column.
  __device__ void load(std::uint32_t tile, WideQuads& out) {
    open(tile / kGroupTiles);
    if constexpr (WideTileCodec<Codec>) {
      const Group group = source_.group(group_);
      if (is_staged() && group.full(kGroupTiles)) {
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

  /// Adds the values of tiles [tile, tile + 8), where `tile` is a multiple of 8 and below
  /// tile_count(column.count), to the sums of the lanes, modulo 2^64. Which lane's sum a value is
  /// added to is unspecified: only the total over the lanes is defined. The values count as signed
  /// or unsigned 32-bit numbers. Where only the sum is needed, add() may be faster than load():
  /// some codecs add up several packed values by one instruction.
  __device__ void add(std::uint32_t tile, bool is_signed, std::uint64_t& sum) {
    open(tile / kGroupTiles);
    if constexpr (SummingTileCodec<Codec>) {
      const Group group = source_.group(group_);
      if (is_staged() && group.full(kGroupTiles)) {
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

  /// Makes a group the current one: waits until it is staged, and starts to stage the group that is
  /// expected next.
  __device__ void open(std::uint32_t group) {
    if (group == group_) return;
    if (coming_ != kNone) arrive(other());
    slot_ = other();
    if (coming_ != group) {
      start(slot_, group);
      arrive(slot_);
    }
    group_ = group;
    next_tile_ = kNone;
    coming_ = kNone;
    if (stride_ > 0 && group + std::uint64_t{stride_} < source_.groups) {
      coming_ = group + stride_;
      start(other(), coming_);
    }
  }

  /// The slot that the next group is staged in.
  __device__ std::uint32_t other() const { return plan_.slots > 1 ? slot_ ^ 1 : 0; }

  __device__ void start(std::uint32_t slot, std::uint32_t i) {
    const Group group = source_.group(i);
    const bool full = group.full(kGroupTiles);
    const Located at = locate<Codec>(group, kGroupTiles, full);
    const Extent extent = payload_extent<Codec>(group.list, group.first, at, kGroupTiles, full);
    __syncwarp();
    control_[slot].start(group.list.words, at, extent, kGroupTiles, memory(slot), plan_.stage);
  }

  __device__ GroupMemory memory(std::uint32_t slot) const {
    return GroupMemory(memory_, plan_.stage, slot, plan_.slots);
  }

  /// Whether the current group fitted into its slot.
  __device__ bool is_staged() const { return control_[slot_].staged(); }

  /// The tiles of the current group from its tile `first` on, if is_staged().
  __device__ StagedTiles staged(std::uint32_t first) const {
    StagedTiles tiles = control_[slot_].tiles(source_.list, memory(slot_));
    tiles.boundaries += first;
    return tiles;
  }

  __device__ void arrive(std::uint32_t slot) {
    control_[slot].wait(parities_ >> slot & 1);
    parities_ ^= 1u << slot;
  }

  ColumnSource<kGroupTiles> source_;
  TileLoaderPlan plan_;
  AsyncGroup<Codec>* control_;
  uint4* memory_;
  std::uint32_t stride_;
  std::uint32_t slot_ = 0;
  std::uint32_t group_ = kNone;
  std::uint32_t coming_ = kNone;  ///< the group that is being copied to the other slot
  std::uint32_t parities_ = 0;
  std::uint32_t next_tile_ = kNone;  ///< the tile that cursor_ decodes next
  typename Codec::Cursor cursor_{};
};

/// The layout of an AnyTileLoader's shared memory. Made on the host, passed to the kernel by value.
struct AnyTileLoaderPlan {
  CodecId codec;
  StageLayout stage;
  std::uint32_t units;  ///< shared memory of one warp's loader, in units of 16 bytes
  std::size_t shared_bytes() const { return units * sizeof(uint4); }
};

/// Loads tiles of a column of 32-bit values whose codec, one of TileCodecs, is known only at run
/// time. The loader branches on the codec once for each group of eight tiles: it decodes the group
/// to 4 KiB of shared memory, besides the room for the group's words. load() reads a tile from
/// there.
class AnyTileLoader {
  static constexpr std::uint32_t kValueUnits = kGroupTiles * kLanes;

 public:
  /// The plan for a column of `codec` with `tile_words` words per tile (ColumnPlan::tile_words).
  /// Throws UsageError unless `codec` is one of TileCodecs.
  static AnyTileLoaderPlan plan(CodecId codec, std::uint32_t tile_words) {
    return plan(codec, tile_words, static_cast<TileCodecs*>(nullptr));
  }

  /// `column` is that of TileLoader. `shared` is shared memory of plan.units units, which only this
  /// loader may use during its life.
  __device__ AnyTileLoader(ListView column, const AnyTileLoaderPlan& plan, uint4* shared)
      : source_(column), plan_(plan), values_(reinterpret_cast<Quad*>(shared)) {}

  /// Loads tile `tile`, as TileLoader::load() does.
  __device__ void load(std::uint32_t tile, Quad& out) {
    open(tile / kGroupTiles);
    out = values_[tile % kGroupTiles * kLanes + WarpLanes::id()];
  }

 private:
  template <class Codec>
  static AnyTileLoaderPlan plan(std::uint32_t tile_words) {
    const StageLayout stage = usual_layout<Codec>(kGroupTiles, tile_words, Copy::kByWarp);
    return {Codec::id, stage, kValueUnits + stage_units<Codec>(stage, 1)};
  }

  template <class... Codec>
  static AnyTileLoaderPlan plan(CodecId codec, std::uint32_t tile_words, std::tuple<Codec...>*) {
    AnyTileLoaderPlan found{};
    ((Codec::id == codec ? void(found = plan<Codec>(tile_words)) : void()), ...);
    if (found.units > 0) return found;
    throw UsageError("codec " + std::to_string(static_cast<std::uint32_t>(codec)) +
                     " does not decode single tiles (decode the column first)");
  }

  __device__ void open(std::uint32_t i) {
    if (i == group_) return;
    group_ = i;
    const Group group = source_.group(i);
    __syncwarp();
    with_codec<TileCodecs>(plan_.codec, [&]<class Codec>() { decode<Codec>(group); });
    __syncwarp();
  }

  template <class Codec>
  __device__ void decode(const Group& group) {
    const auto keep = [&](std::uint32_t tile, const Quad& quad, std::uint32_t) {
      values_[tile % kGroupTiles * kLanes + WarpLanes::id()] = quad;
    };
    const bool full = group.full(kGroupTiles);
    const Located at = locate<Codec>(group, kGroupTiles, full);
    const Extent extent = payload_extent<Codec>(group.list, group.first, at, kGroupTiles, full);
    if (!plan_.stage.takes(extent, at.lengths)) {
      decode_tiles<Codec, Content::kValues>(group, Payload{group.list.words, 0}, keep);
      return;
    }
    auto* memory = reinterpret_cast<uint4*>(values_) + kValueUnits;
    const StagedTiles staged =
        fill<Codec>(GroupMemory(memory, plan_.stage, 0, 1), group, at, extent, kGroupTiles);
    decode_group<Codec, kGroupTiles, Content::kValues>(group, staged, keep);
  }

  ColumnSource<kGroupTiles> source_;
  AnyTileLoaderPlan plan_;
  Quad* values_;
  std::uint32_t group_ = 0xffffffffu;
};

}  // namespace gannet::codecs::cuda
