// A batch of the pruned search in host memory, and what it takes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "query/gpu/plan/launch.hpp"
#include "query/gpu/plan/pruned/pruned_path.hpp"
#include "query/gpu/plan/pruned/segment_views.hpp"

namespace gannet::query::cuda {

/// What plans take of the tables and of the buffers of a batch, as numbers of elements.
struct PrunedSizes {
  std::uint32_t queries = 0, terms = 0, rows = 0, shorts = 0, nodes = 0;
  std::uint32_t short_tiles = 0;     ///< tiles of all short lists
  std::uint32_t chunk_pointers = 0;  ///< chunks + 1 for each short list
  std::uint64_t finalists = 0;
  std::uint64_t ranges = 0;     ///< ranges of the segments where something may match
  std::uint32_t max_terms = 1;  ///< the most terms of any query in any segment
  std::uint32_t stride = 0;     ///< the largest k of any query
  std::uint32_t wave_size = 0;  ///< the most superblocks of any query's first wave

  /// Sums and maxima, so that sizes also say where the next plan's entries begin.
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

/// The tables of a batch in host memory. PrunedSizes has their lengths. Not owned.
struct PrunedTables {
  PrunedQuery* queries;
  PrunedPart* parts;        ///< query by query, one per segment
  SelectQuery* selections;  ///< one per query
  PrunedTerm* terms;
  WeightedRow* rows;
  ShortList* shorts;
  Node* nodes;
};

/// A batch before its launches. Refers to memory of others.
struct PrunedBatch {
  PrunedPath path = PrunedPath::kBounds;
  ScorerId scorer{};  ///< of all queries
  float k1 = 0;       ///< of BM25F
  const SegmentViews* segments = nullptr;
  SharedScores shared{};
  PrunedSizes sizes;
  PrunedTables tables{};
};

}  // namespace gannet::query::cuda
