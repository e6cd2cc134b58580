// The fields of segments on their way into another one.
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "index/fields/build/field_collector.hpp"
#include "index/fields/field_column.hpp"
#include "index/segment/segment.hpp"
#include "index/updates/merge/merged_segment.hpp"

namespace gannet::index {

/// Adds the values of the live documents of a segment, which has the same schema, to a collector,
/// as if they were added as texts. Holds a few thousand documents' values at a time, and a number
/// for each keyword of the segment. Strings of the collector are spilled when they take more than
/// `memory` bytes. Throws FormatError for a damaged column, CancelledError.
void add_fields(const MergedSegment& segment, const Schema& schema, std::uint64_t memory,
                const std::stop_token& stop, FieldCollector& collector);

}  // namespace gannet::index
