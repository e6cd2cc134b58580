// A filter bound to the columns of one segment.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "index/index.hpp"
#include "query/filter/code_set.hpp"
#include "query/plan/filter.hpp"

namespace gannet::query {

/// A formula over sets of codes and documents. Parts of an AND or OR are neither all nor none.
struct SegmentFilter {
  enum class Kind : std::uint8_t { kAll, kNone, kCodes, kLive, kAnd, kOr, kNot };
  Kind kind = Kind::kAll;
  const index::FieldColumn* column = nullptr;            ///< kCodes
  CodeSet codes = {};                                    ///< kCodes: what documents need one of
  const index::LiveDocuments* live = nullptr;            ///< kLive: the documents that pass
  std::shared_ptr<const index::LiveDocuments> own = {};  ///< what `live` is, if no index has it
  std::vector<SegmentFilter> parts = {};
};

/// Looks the filter's fields and values up. What no code of the segment has is kNone already.
/// Throws UsageError for what the schema has not (check_filter()). `segment`: its number.
SegmentFilter bind_filter(const Filter& filter, const index::Index& index, std::size_t segment);

/// Memory that it takes, about.
std::uint64_t bytes_of(const SegmentFilter& filter);

/// About what share of the segment's documents passes, by the least and greatest codes of blocks:
/// 0 to 1.
double estimated_share(const SegmentFilter& filter);

}  // namespace gannet::query
