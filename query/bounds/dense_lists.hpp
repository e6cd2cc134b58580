// Which lists are long enough for bounds, or a bitmap, of their own.
#pragma once

#include <cstdint>
#include <stop_token>

#include "index/index.hpp"

namespace gannet::query {

/// The bytes that bounds of one list take in a segment: all lists take as many.
std::uint64_t bytes_of_bounds(const index::Segment& segment);

/// The bytes that something kept of a list takes in a segment, whichever list it is.
using BytesOfList = std::uint64_t (*)(const index::Segment& segment);

/// The fewest postings that a list must have so that the bounds of all such lists together, or what
/// else takes `bytes_of` a list, take no more than `bits` bits per posting of the segment (about:
/// sizes are counted in classes, eight for each power of two). Never below 128; above every list if
/// `bits` are too few for any. Goes through the list table once, in parallel on the calling
/// thread's TBB arena: some ns a term. Throws CancelledError.
std::uint32_t least_dense_count(const index::Segment& segment, double bits,
                                const std::stop_token& stop,
                                BytesOfList bytes_of = bytes_of_bounds);

}  // namespace gannet::query
