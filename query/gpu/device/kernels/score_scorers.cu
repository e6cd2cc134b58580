// The scoring kernel that knows every scorer, for the posting codecs. BM25 has a kernel of its own,
// which does not pay for the registers and branches of the other scorers.
#include "query/gpu/device/kernels/score.cuh"

namespace gannet::query::cuda {

void launch_scoring_scorers(KernelClass kernel, const BatchView& batch, CUstream_st* stream) {
  launch_scored_with<codecs::PostingCodecs, AllScorers>(kernel, batch, stream);
}

}  // namespace gannet::query::cuda
