// A filter that is evaluated for single documents.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "query/filter/packed_column.hpp"
#include "query/filter/segment_filter.hpp"

namespace gannet::query {

/// Looks documents' codes up, where a bitmap would be made of all. Costs some nanoseconds for a
/// document and predicate, and a block's decoding where none of its codes was asked for before. Any
/// number of threads may use it.
class FilterProbe {
 public:
  /// `filter` must outlive it. Nothing if a column has no room among `columns`.
  static std::optional<FilterProbe> make(const SegmentFilter& filter, PackedColumns& columns);

  /// Throws FormatError for a damaged block.
  bool passes(std::uint32_t document) const {
    if (one_range_.column == nullptr) return passes(root_, document);
    return one_range_.column->code(document) - one_range_.first < one_range_.codes;
  }
  /// Of the documents 64 range + (bits of `documents`): those that pass.
  std::uint64_t among(std::uint64_t documents, std::uint32_t range) const;
  /// Whether a document of a column block (index::kFieldBlock documents) may pass, as far as
  /// smallest and largest codes decide it.
  bool block_may_pass(std::uint32_t block) const { return (outcomes(root_, block) & 1) != 0; }

 private:
  struct Part {
    const SegmentFilter* filter;
    std::shared_ptr<const PackedColumn> column;  ///< kCodes, but for texts
    std::vector<Part> parts;
  };

  /// A filter of one range of codes of a column in which each document has one.
  struct OneRange {
    const PackedColumn* column = nullptr;  ///< null: the filter is another
    std::uint64_t first = 0;
    std::uint64_t codes = 0;  ///< of the range
  };

  explicit FilterProbe(Part root) : root_(std::move(root)), one_range_(one_range_of(root_)) {}
  static OneRange one_range_of(const Part& part);
  static std::optional<Part> bind(const SegmentFilter& filter, PackedColumns& columns);
  static bool passes(const Part& part, std::uint32_t document);
  static bool has_code(const Part& part, std::uint32_t document);
  static unsigned outcomes(const Part& part, std::uint32_t block);

  Part root_;
  OneRange one_range_;
};

}  // namespace gannet::query
