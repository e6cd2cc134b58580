// Marks the documents of a posting list in a bitmap.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "codecs/codec_set.hpp"
#include "codecs/docids.hpp"
#include "query/gpu/device/columns/column_launches.hpp"
#include "query/gpu/device/kernels/columns/code_groups.cuh"

namespace gannet::query::cuda {

using codecs::Quad;

/// Sets the bits of a list's docids: one warp per tile.
template <class Codecs>
__global__ void __launch_bounds__(kColumnThreads)
    mark_list_kernel(const __grid_constant__ MarkedList marked, unsigned long long* words) {
  const std::uint32_t tile = blockIdx.x * kColumnWarps + threadIdx.x / kLanes;
  if (tile >= codecs::tile_count(marked.list.count)) return;
  const std::uint32_t before = tile == 0 ? codecs::kBeforeFirst : marked.skips[tile - 1];
  WarpLanes::Var<Quad> quad;
  codecs::with_codec<Codecs>(marked.codec, [&]<class Codec>() {
    using Tiles = codecs::DocidTiles<Codec>;
    auto cursor = Tiles::seek(WarpLanes{}, marked.list, tile, before);
    Tiles::next(WarpLanes{}, marked.list, codecs::Payload{marked.list.words, 0}, tile, cursor,
                quad);
  });
  const std::uint32_t size = codecs::tile_size(marked.list.count, tile);
  // Documents of a lane that lie in one word are set at once.
  std::uint32_t word = 0;
  unsigned long long bits = 0;
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (4 * WarpLanes::id() + i >= size) break;
    const std::uint32_t document = quad.value.value[i];
    if (document / 64 != word && bits != 0) {
      atomicOr(words + word, bits);
      bits = 0;
    }
    word = document / 64;
    bits |= 1ull << document % 64;
  }
  if (bits != 0) atomicOr(words + word, bits);
}

}  // namespace gannet::query::cuda
