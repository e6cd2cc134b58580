#include "query/gpu/device/kernels/matching/match.cuh"

namespace gannet::query::cuda {

void launch_matching(const MatchView& view, CUstream_st* stream) {
  if (!codecs::has_codec<codecs::PostingCodecs>(view.index.docid_codec)) {
    return launch_matching_any(view, stream);
  }
  launch_matching_with<codecs::PostingCodecs>(view, stream);
}

}  // namespace gannet::query::cuda
