// The kernels of the ranked search by windows that know every codec.
#include "query/gpu/device/kernels/ranked/rank.cuh"

namespace gannet::query::cuda::detail {

void launch_ranking_any(bool words, const RankView& view, CUstream_st* stream) {
  using Codecs = codecs::TileCodecs;
  if (words) return launch_ranking_with<AnyTiles<Codecs>, Codecs, WordListScores>(view, stream);
  launch_ranking_with<AnyTiles<Codecs>, Codecs, TermListScores<AllScorers>>(view, stream);
}

}  // namespace gannet::query::cuda::detail
