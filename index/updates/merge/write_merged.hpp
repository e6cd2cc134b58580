// Writing documents of several segments as one.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string_view>

#include "index/index_writer.hpp"
#include "index/inversion/build_budget.hpp"
#include "index/updates/merge/merged_segment.hpp"

namespace gannet::index {

/// What is needed besides the segments.
struct MergeWork {
  BuildBudget budget;
  std::stop_token stop = {};
  std::function<void(std::string_view stage, std::uint64_t done, std::uint64_t total)> progress =
      {};
};

/// Writes what comes along of the segments, one behind the other, as the segment that the writer is
/// at: documents, fields, lists. `schema` is that of the segments and of the writer. Returns the
/// number of documents. All bytes of the segments are checked before anything is written: throws
/// what check_for_copy() throws (segment_copy.hpp).
std::uint64_t write_merged(std::span<const MergedSegment> segments, const Schema& schema,
                           const MergeWork& work, IndexWriter& writer);

}  // namespace gannet::index
