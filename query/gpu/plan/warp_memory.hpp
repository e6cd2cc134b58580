// Shared memory of a warp while it runs an item of the exhaustive search.
#pragma once

#include "codecs/core/tile.hpp"
#include "query/gpu/plan/batch.hpp"
#include "query/gpu/plan/vectors.hpp"

namespace gannet::query::cuda {

/// A warp's position in one posting list.
struct alignas(16) ListCursor {
  std::uint32_t tile;    ///< the tile to read next; the list's number of tiles if it is exhausted
  std::uint32_t last;    ///< last docid of that tile
  std::uint32_t next;    ///< all documents before this one were read
  std::uint32_t cached;  ///< whether the list's cache slot holds the tile
};

/// A decoded tile: docids (0xffffffff beyond the list's end) and their score contributions.
struct CachedTile {
  uint4 docids[codecs::kLanes];
  float4 contributions[codecs::kLanes];
};

/// A warp's share of the thread block's dynamic shared memory.
struct WarpMemory {
  float* scores;  ///< a window of score accumulators, all 0 between windows
  /// A window of match marks, all 0 between windows (where marks are needed).
  std::uint32_t* marks;
  ListCursor* cursors;  ///< one per term
  CachedTile* cache;    ///< one per slot

  static constexpr std::uint32_t bytes(bool marked, std::uint32_t window, std::uint32_t terms,
                                       std::uint32_t slots) {
    return window * 4 * (marked ? 2 : 1) + terms * static_cast<std::uint32_t>(sizeof(ListCursor)) +
           slots * static_cast<std::uint32_t>(sizeof(CachedTile));
  }

#if defined(__CUDACC__)
  template <bool kMarked>
  __device__ static WarpMemory of(const BatchView& batch, unsigned char* block,
                                  std::uint32_t warp) {
    unsigned char* base = block + warp * bytes(kMarked, batch.window, batch.max_terms, batch.slots);
    WarpMemory memory{};
    memory.scores = reinterpret_cast<float*>(base);
    base += batch.window * sizeof(float);
    if constexpr (kMarked) {
      memory.marks = reinterpret_cast<std::uint32_t*>(base);
      base += batch.window * sizeof(std::uint32_t);
    }
    memory.cursors = reinterpret_cast<ListCursor*>(base);
    memory.cache = reinterpret_cast<CachedTile*>(base + batch.max_terms * sizeof(ListCursor));
    return memory;
  }
#endif
};

}  // namespace gannet::query::cuda
