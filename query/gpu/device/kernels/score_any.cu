// The scoring kernel that knows every codec and scorer. It needs more registers and instructions
// than the kernel for the posting codecs; indexes with the usual codecs do not pay for these.
#include "query/gpu/device/kernels/score.cuh"

namespace gannet::query::cuda {

void launch_scoring_any(KernelClass kernel, const BatchView& batch, CUstream_st* stream) {
  launch_scored_with<codecs::TileCodecs, AllScorers>(kernel, batch, stream);
}

}  // namespace gannet::query::cuda
