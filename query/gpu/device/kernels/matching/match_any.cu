// The kernel of counts and docids that knows every codec. It needs more registers than the one for
// the posting codecs.
#include "query/gpu/device/kernels/matching/match.cuh"

namespace gannet::query::cuda {

void launch_matching_any(const MatchView& view, CUstream_st* stream) {
  launch_matching_with<codecs::TileCodecs>(view, stream);
}

}  // namespace gannet::query::cuda
