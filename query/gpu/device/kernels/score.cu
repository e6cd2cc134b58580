#include "query/gpu/device/kernels/score.cuh"

namespace gannet::query::cuda {

using codecs::PostingCodecs;

std::uint32_t max_warp_memory() {
  return static_cast<std::uint32_t>(device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)) /
         kWarpsPerBlock;
}

void launch_scoring(KernelClass kernel, const BatchView& batch, CUstream_st* stream) {
  if (batch.items_begin == batch.items_end) return;
  const bool usual = codecs::has_codec<PostingCodecs>(batch.index.docid_codec) &&
                     codecs::has_codec<PostingCodecs>(batch.index.freq_codec);
  if (!usual) return launch_scoring_any(kernel, batch, stream);
  if (!kernel.usual_scorer) return launch_scoring_scorers(kernel, batch, stream);
  launch_scored_with<PostingCodecs, UsualScorers>(kernel, batch, stream);
}

}  // namespace gannet::query::cuda
