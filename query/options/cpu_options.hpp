// How the CPU back end is set.
#pragma once

#include <cstdint>
#include <optional>

#include "codecs/base/simd_level.hpp"

namespace gannet::query {

/// The CPU back end of a searcher.
struct CpuOptions {
  /// Threads that work on batches, all callers together, no more than one a core; 0: one a core.
  unsigned threads = 0;
  /// Memory for bounds of lists, in bits per posting of the index, for each of the last four
  /// scorers and their parameters; 0: none, every search is exhaustive. More lists with bounds make
  /// searches faster. They are made when they are first needed.
  double bounds_bits = 2.5;
  /// Memory for bitmaps of filters that are kept for later searches, in bytes: a bit per document
  /// for each filter. 0: none is kept. Those that searches need just now come on top.
  std::uint64_t filter_bytes = std::uint64_t{256} << 20;
  /// The best vector instructions to use; the processor's best if absent or beyond it. For tests.
  std::optional<codecs::SimdLevel> simd = std::nullopt;
};

}  // namespace gannet::query
