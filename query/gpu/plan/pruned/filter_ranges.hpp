// The ranges of a filter, which kernels test before they read documents.
#pragma once

#include <cstdint>
#include <vector>

#include "query/filter/document_bitmap.hpp"
#include "query/gpu/plan/pruned/tables.hpp"

namespace gannet::query::cuda {

/// FilterView::ranges of a bitmap. Reads the whole bitmap.
inline std::vector<std::uint16_t> filter_ranges(const DocumentBitmap& bitmap) {
  std::vector<std::uint16_t> ranges(padded_superblocks(bitmap.documents));
  for (std::size_t i = 0; i < bitmap.words.size(); ++i) {
    if (bitmap.words[i] == 0) continue;
    ranges[i / kRangesPerSuperblock] |= static_cast<std::uint16_t>(1u << i % kRangesPerSuperblock);
  }
  return ranges;
}

}  // namespace gannet::query::cuda
