// Options of the CPU back end.
#pragma once

#include <cstdint>
#include <optional>

#include "codecs/base/simd_level.hpp"

namespace gannet::query {

/// Options of the CPU back end of a searcher.
struct CpuOptions {
  /// Number of threads that all calls share, at most one per core; 0: one per core.
  unsigned threads = 0;
  /// Limit of the memory for bounds of lists, in bits per posting of the index, 0 to 1,024. The
  /// limit applies to each of the last four combinations of scorer, parameters and collection
  /// statistics. The limit decides how long a list must be to get bounds; more lists with bounds
  /// make searches faster. Bounds are made when a search first needs them. 0: there are no bounds,
  /// and every search is exhaustive.
  double bounds_bits = 2.5;
  /// Limit of the memory for bitmaps of lists, in bits per posting of a segment, 0 to 1,024; a
  /// bitmap takes one bit per document of the segment. The limit decides how long a list must be to
  /// get a bitmap; with more of them, counts and docids are faster. Bitmaps are made when a search
  /// that wants no scores first needs them, and are kept. 0: there are none.
  double bitmap_bits = 2.5;
  /// Memory for bitmaps of filters that are kept for later searches, in bytes; a bitmap takes one
  /// bit per document. 0: no bitmap is kept. Bitmaps that running searches use take memory beyond
  /// this limit.
  std::uint64_t filter_bytes = std::uint64_t{256} << 20;
  /// A filter that few searches have is looked up for the documents that reach the limit, and gets
  /// no bitmap, if at least this share of the documents is estimated to pass it (of those in column
  /// blocks that its codes leave open). 0: whatever the share; above 1: never. Other searches look
  /// it up for documents that match, where these are estimated to be few, unless this is above 1.
  /// Results do not depend on this option.
  double candidate_filters = 1.0 / 64;
  /// Memory for columns of fields that such filters look documents up in: 0 to 8 bytes a value.
  /// Filters on columns without room get bitmaps.
  std::uint64_t column_bytes = std::uint64_t{1} << 30;
  /// The highest level of vector instructions to use; nullopt, or a level that the processor does
  /// not have: the processor's highest. For tests.
  std::optional<codecs::SimdLevel> simd = std::nullopt;
};

}  // namespace gannet::query
