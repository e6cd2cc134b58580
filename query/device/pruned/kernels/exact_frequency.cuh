// The frequency of one posting, for the few that are too large to be kept in a byte.
#pragma once

#include "query/device/pruned/kernels/tiles.cuh"

namespace gannet::query::cuda {

/// How often `docid`, which the list has, has the term. Called by a converged warp with the same
/// arguments in all lanes. Never inlined: it would cost the callers registers.
template <class Tiles>
__device__ __noinline__ std::uint32_t exact_frequency(const IndexView& index,
                                                      const PrunedTerm& term,
                                                      std::uint32_t docid) {
  const std::uint32_t* const skips = index.skips + term.first_tile;
  std::uint32_t low = 0;
  std::uint32_t high = codecs::tile_count(term.count) - 1;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (__ldg(skips + middle) < docid) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  Quad docids;
  Quad frequencies;
  Tiles::read(index, term, low, docid_before(skips, low), Tiles::find(index, term, low), docids,
              frequencies);
  std::uint32_t found = 0;
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (docids.value[i] == docid) found = frequencies.value[i];
  }
  return WarpLanes::greatest(found);
}

}  // namespace gannet::query::cuda
