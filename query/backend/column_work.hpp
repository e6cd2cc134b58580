// What a back end may find out by itself of the columns of all documents that match a plan.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "query/backend/number_count.hpp"
#include "query/filter/document_bitmap.hpp"

namespace gannet::query {

/// The documents that come first in the order of a field; those without a value come last. Equal
/// ones are in the order of their docids.
struct FirstWanted {
  std::size_t field = 0;
  bool descending = false;
  std::uint32_t k = 0;
};

struct ColumnWork {
  /// Numbers of fields whose codes are counted.
  std::vector<std::size_t> counted = {};
  std::optional<FirstWanted> first = {};
  /// The matches themselves are wanted.
  bool matches = false;
};

/// A document of a segment with its code.
struct FirstDocument {
  std::uint32_t document = 0;
  std::uint32_t code = 0;
};

struct CodeCounts {
  std::vector<NumberCount> counts = {};  ///< ascending codes
  std::uint64_t missing = 0;             ///< matches without the field
};

/// Of one segment.
struct SegmentFindings {
  std::uint64_t count = 0;  ///< documents that match
  /// As ColumnWork::counted; nothing where it is not known.
  std::vector<std::optional<CodeCounts>> counted = {};
  /// The k first, all of which have the field, in their order; nothing if it is not known.
  std::optional<std::vector<FirstDocument>> first = {};
  /// The matches, if they are wanted, or anything is not known; then those of all segments.
  DocumentBitmap matches = {};
};
using ColumnFindings = std::vector<SegmentFindings>;

}  // namespace gannet::query
