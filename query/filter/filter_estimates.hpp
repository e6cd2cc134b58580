// What the smallest and largest codes of column blocks say of a filter.
#pragma once

#include <cstdint>

#include "query/filter/segment_filter.hpp"

namespace gannet::query {

/// The share of documents in column blocks that smallest and largest codes do not rule out, at
/// most: 0 to 1.
double open_share(const SegmentFilter& filter);

/// The share of documents that is estimated to pass a filter, among those of such blocks: 0 to 1.
/// `estimated`: estimated_share(filter).
double share_of_open_blocks(const SegmentFilter& filter, double estimated);

/// A number of documents that pass a filter for certain. `documents`: of the segment.
std::uint64_t least_passing(const SegmentFilter& filter, std::uint64_t documents);

}  // namespace gannet::query
