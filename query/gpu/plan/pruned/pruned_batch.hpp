// A batch of the pruned search in host memory, and what it takes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "query/gpu/plan/launch.hpp"
#include "query/gpu/plan/pruned/segment_views.hpp"

namespace gannet::query::cuda {

/// How the queries of a batch are searched.
enum class PrunedPath {
  kBounds,   ///< ranges of documents are skipped whose bounds are too small
  kWindows,  ///< every posting is scored
};

/// What plans take of the tables and of the buffers of a batch.
struct PrunedSizes {
  std::uint32_t queries = 0, terms = 0, rows = 0, shorts = 0, nodes = 0;
  std::uint32_t short_tiles = 0;     ///< of all short lists
  std::uint32_t chunk_pointers = 0;  ///< of all short lists
  std::uint64_t finalists = 0;
  std::uint64_t ranges = 0;     ///< of segments where something may match
  std::uint32_t max_terms = 1;  ///< of any query in any segment
  // Of any query:
  std::uint32_t stride = 0;     ///< the largest k
  std::uint32_t wave_size = 0;  ///< superblocks of a query's first wave

  void add(const PrunedSizes& more) {
    queries += more.queries;
    terms += more.terms;
    rows += more.rows;
    shorts += more.shorts;
    nodes += more.nodes;
    short_tiles += more.short_tiles;
    chunk_pointers += more.chunk_pointers;
    finalists += more.finalists;
    ranges += more.ranges;
    max_terms = std::max(max_terms, more.max_terms);
    stride = std::max(stride, more.stride);
    wave_size = std::max(wave_size, more.wave_size);
  }
};

/// Where the tables are in host memory: PrunedSizes says how long they are.
struct PrunedTables {
  PrunedQuery* queries;
  PrunedPart* parts;        ///< a query after the other, one a segment
  SelectQuery* selections;  ///< one a query
  PrunedTerm* terms;
  WeightedRow* rows;
  ShortList* shorts;
  Node* nodes;
};

struct PrunedBatch {
  PrunedPath path = PrunedPath::kBounds;
  ScorerId scorer{};  ///< of all queries
  const SegmentViews* segments = nullptr;
  SharedScores shared{};
  PrunedSizes sizes;
  PrunedTables tables{};
};

}  // namespace gannet::query::cuda
