// The kernels of the pruned search for all posting codecs and scorers. gpu-bp128 with BM25 has
// instances of its own, which need fewer registers.
#include "query/gpu/device/kernels/pruned/launches.cuh"

namespace gannet::query::cuda::detail {

void launch_pruned_scorers(const PrunedView& view, CUstream_st* stream) {
  launch_pruned_with<AnyTiles<codecs::PostingCodecs>, AllScorers>(view, stream);
}

void launch_windows_scorers(const PrunedView& view, CUstream_st* stream) {
  launch_windows_with<AnyTiles<codecs::PostingCodecs>, AllScorers>(view, stream);
}

void launch_windows_packed(const PrunedView& view, CUstream_st* stream) {
  launch_windows_with<PackedTiles, AllScorers>(view, stream);
}

void launch_facts_scorers(const FactsView& view, CUstream_st* stream) {
  launch_facts_with<AnyTiles<codecs::PostingCodecs>, AllScorers>(view, stream);
}

}  // namespace gannet::query::cuda::detail
