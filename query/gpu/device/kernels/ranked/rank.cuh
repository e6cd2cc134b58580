// The launch of the ranked search by windows, for codecs and scorers.
#pragma once

#include <algorithm>
#include <tuple>

#include "codecs/base/cuda/launch.hpp"
#include "codecs/device/detail/persistent.cuh"
#include "query/gpu/device/kernels/ranked/launches.hpp"
#include "query/gpu/device/kernels/ranked/rank_window.cuh"

namespace gannet::query::cuda {

/// The codecs of PackedTiles.
using PackedCodecs = std::tuple<PackedTiles::Codec>;

template <class Tiles, class Codecs, class Scores>
void launch_ranking_with(const RankView& view, CUstream_st* stream) {
  const auto kernel = rank_kernel<Tiles, Codecs, Scores>;
  const std::size_t bytes = rank_bytes(Scores::kWords, view.match.rows, view.match.words);
  const std::uint32_t fitting =
      codecs::cuda::resident_blocks(reinterpret_cast<const void*>(kernel), kRankThreads, bytes);
  const std::uint32_t blocks = std::min({fitting, view.blocks, view.items_end - view.items_begin});
  codecs::cuda::launch_kernel({"rank_kernel", blocks, kRankThreads, bytes, stream}, kernel, view);
}

}  // namespace gannet::query::cuda
