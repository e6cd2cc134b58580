// Which segments are merged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/files/format.hpp"

namespace gannet::index {

/// Segments [first, first + count), which stand side by side: documents keep their order.
struct SegmentRun {
  std::size_t first = 0;
  std::size_t count = 0;
  bool operator==(const SegmentRun&) const = default;
};

/// Runs of two segments or more, in order, after whose merging no more than `most` (>= 1) segments
/// are left, or more where one would have more than `limit` documents. Neighbours that are smallest
/// together go first, of equal ones the first, so that little is written; the same for the same
/// sizes.
std::vector<SegmentRun> plan_merges(std::span<const std::uint64_t> sizes, std::size_t most,
                                    std::uint64_t limit = kMaxDocuments);

/// Runs of `tier` (>= 2) segments or more of like size: of at most 1,000 documents, then, with
/// those that came of it, of at most 1,000 * tier, and so on; smaller ones between them go along.
/// Each document is so written again about as often as there are powers of `tier` in the number of
/// all, and about tier segments of each power are left. What would have more than `limit` documents
/// stays apart. The same for the same sizes.
std::vector<SegmentRun> plan_tiers(std::span<const std::uint64_t> sizes, unsigned tier,
                                   std::uint64_t limit = kMaxDocuments);

}  // namespace gannet::index
