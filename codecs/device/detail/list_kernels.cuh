// The kernels that decode posting lists: a batch of lists or a long one, one warp per group of
// tiles; a short list, one warp per tile.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "codecs/device/detail/group.cuh"
#include "codecs/device/detail/store_tile.cuh"
#include "codecs/device/detail/tuning.hpp"

namespace gannet::codecs::cuda {

/// One group of a list, with all that its warp needs to ask for its words at once: loads that wait
/// for one another are most of a warp's time.
struct alignas(16) GroupRow {
  const std::uint32_t* words;  // of the list
  std::uint32_t count;         // of the list's values
  std::uint32_t first;         // tile
  Extent payload;
  std::uint32_t previous;     // docid before the group
  std::uint32_t output_quad;  // the list's first place in the output, in fours
};
static_assert(sizeof(GroupRow) == 32);

/// Values that the outputs of a batch have at most: GroupRow::output_quad counts fours.
inline constexpr std::uint64_t kMaxOutput = std::uint64_t{4} << 32;

/// The groups of a batch, in the order of the lists.
template <std::uint32_t kTiles>
struct BatchSource {
  static constexpr std::uint32_t tiles = kTiles;
  const GroupRow* rows;
  std::uint32_t groups;

  __device__ Group group(std::uint32_t i) const {
    const GroupRow row = rows[i];
    const std::uint32_t last = min(row.first + kTiles, tile_count(row.count));
    return {{row.words, row.count},
            row.first,
            last,
            row.previous,
            std::uint64_t{row.output_quad} * 4,
            row.payload};
  }
};

/// The groups of one list, which need no table. kGaps: they start from the docid before them.
template <std::uint32_t kTiles, bool kGaps>
struct ListSource {
  static constexpr std::uint32_t tiles = kTiles;
  ListView list;
  const std::uint32_t* skips;  // last docid of each tile, or null
  std::uint32_t groups;

  __device__ Group group(std::uint32_t i) const {
    const std::uint32_t first = i * kTiles;
    const std::uint32_t last = min(first + kTiles, tile_count(list.count));
    const std::uint32_t previous = kGaps && first > 0 ? skips[first - 1] : kBeforeFirst;
    return {list, first, last, previous, 0};
  }
};

/// Whether lists_kernel decodes a codec's lists; write_kernel (write_out.cuh) decodes all others.
template <class Codec>
inline constexpr bool kHasListsKernel =
    WideTileCodec<Codec>&& Codec::traits.posting&& Codec::traits.scratch_words == 0 &&
    Codec::traits.lengths_words == 0;

/// Decodes the groups of a source to values or docids. A warp decodes one group and is done, as in
/// write_kernel; `layout` has room for the largest group.
template <class Codec, Content kContent, class Source>
__global__ void __launch_bounds__(kWritePolicy.warps* kLanes, kListPolicy.blocks)
    lists_kernel(Source source, StageLayout layout, std::uint32_t* out) {
  extern __shared__ uint4 list_memory[];
  constexpr std::uint32_t kTiles = Source::tiles;
  const std::uint32_t i = warp_of_grid(blockDim.x / kLanes);
  if (i >= source.groups) return;
  const Group group = source.group(i);
  const bool full = group.full(kTiles);
  const Located at = locate<Codec>(group, kTiles, full);
  const Extent extent = group.placed()
                            ? group.payload
                            : payload_extent<Codec>(group.list, group.first, at, kTiles, full);
  const GroupMemory memory(list_memory + threadIdx.x / kLanes * stage_units<Codec>(layout, 1),
                           layout, 0, 1);
  StagedTiles staged = memory.tiles(group.list);
  staged.payload = stage_past_registers(group.list.words, extent, memory.words);
  // Stored last: they travelled together with the words.
  if (WarpLanes::id() <= kTiles) memory.boundaries[WarpLanes::id()] = at.boundary;
  __syncwarp();
  decode_group<Codec, kTiles, kContent>(
      group, staged, [&](std::uint32_t tile, const Quad& quad, std::uint32_t size) {
        store_tile(quad, size, out + group.output + std::uint64_t{tile} * kTile);
      });
}

/// Whether a codec's tiles can be decoded one by one, without those before them.
template <class Codec, Content kContent>
inline constexpr bool kHasShortForm = Codec::traits.posting &&
                                      (kContent == Content::kDocids || !Codec::traits.prefix_sums);

/// Decodes a short list, which does not fill the device: what it takes is what one warp takes from
/// the launch to its last store. So a warp has as little to do as it can, one tile, and does not
/// stage it. `skips`: the last docid of each tile; unused where no sums are made.
template <class Codec, Content kContent>
__global__ void __launch_bounds__(kShortPolicy.warps* kLanes)
    short_list_kernel(ListView list, const std::uint32_t* skips, std::uint32_t* out) {
  const std::uint32_t tile = warp_of_grid(kShortPolicy.warps);
  if (tile >= tile_count(list.count)) return;
  constexpr bool kSums =
      kContent == Content::kDocids && (Codec::traits.gaps || Codec::traits.prefix_sums);
  const std::uint32_t previous = kSums && tile > 0 ? skips[tile - 1] : kBeforeFirst;
  decode_tiles<Codec, kContent>(Group{list, tile, tile + 1, previous, 0}, Payload{list.words, 0},
                                [&](std::uint32_t, const Quad& quad, std::uint32_t size) {
                                  store_tile(quad, size, out + std::uint64_t{tile} * kTile);
                                });
}

}  // namespace gannet::codecs::cuda
