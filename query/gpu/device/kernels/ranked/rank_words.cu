// The kernel of the ranked search by windows for words over several texts (BM25F).
#include "query/gpu/device/kernels/ranked/rank.cuh"

namespace gannet::query::cuda::detail {

void launch_ranking_words(const RankView& view, CUstream_st* stream) {
  launch_ranking_with<PackedTiles, PackedCodecs, WordListScores>(view, stream);
}

}  // namespace gannet::query::cuda::detail
