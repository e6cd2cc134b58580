// The kernel of the ranked search by windows that knows every scorer, for the posting codecs. BM25
// on lists of the usual codec has a kernel of its own, which does not pay for the registers and
// branches of the others.
#include "query/gpu/device/kernels/ranked/rank.cuh"

namespace gannet::query::cuda::detail {

void launch_ranking_scorers(const RankView& view, CUstream_st* stream) {
  launch_ranking_with<AnyTiles<codecs::PostingCodecs>, codecs::PostingCodecs,
                      TermListScores<AllScorers>>(view, stream);
}

}  // namespace gannet::query::cuda::detail
