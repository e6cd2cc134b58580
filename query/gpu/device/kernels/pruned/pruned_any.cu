// The kernels of the pruned search for every codec and scorer.
#include "query/gpu/device/kernels/pruned/launches.cuh"

namespace gannet::query::cuda::detail {

void launch_pruned_any(const PrunedView& view, CUstream_st* stream) {
  launch_pruned_with<AnyTiles<codecs::TileCodecs>, AllScorers>(view, stream);
}

void launch_windows_any(const PrunedView& view, CUstream_st* stream) {
  launch_windows_with<AnyTiles<codecs::TileCodecs>, AllScorers>(view, stream);
}

void launch_facts_any(const FactsView& view, CUstream_st* stream) {
  launch_facts_with<AnyTiles<codecs::TileCodecs>, AllScorers>(view, stream);
}

}  // namespace gannet::query::cuda::detail
