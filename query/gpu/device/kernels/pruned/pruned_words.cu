// The kernels of the pruned search that score words over several texts: BM25F.
#include "query/gpu/device/kernels/pruned/launches.cuh"

namespace gannet::query::cuda::detail {

void launch_pruned_words(const PrunedView& view, CUstream_st* stream) {
  launch_pruned_with<PackedTiles, WordScorers>(view, stream);
}

void launch_pruned_words_any(const PrunedView& view, CUstream_st* stream) {
  launch_pruned_with<AnyTiles<codecs::TileCodecs>, WordScorers>(view, stream);
}

}  // namespace gannet::query::cuda::detail
