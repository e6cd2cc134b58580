// Writing the codes of a column as a bitmap index, block by block.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/fields/fields_layout.hpp"
#include "index/files/container/container.hpp"

namespace gannet::index {

/// Takes the codes of a column, makes the bitmaps of each block and appends them to the section
/// that is open. Not thread-safe.
class BitmapSink {
 public:
  explicit BitmapSink(ContainerWriter& file) : file_(file) {}

  /// `is_value`: a document has it. Throws UsageError for a block of more than kMaxBitmapCodes
  /// different codes.
  void add(std::uint64_t code, bool is_value);
  void finish() { write_block(); }

  std::uint64_t codes() const { return codes_; }
  const std::vector<CodeBounds>& bounds() const { return bounds_; }
  /// After finish(): one a block.
  std::span<const BitmapRow> rows() const { return rows_; }

 private:
  void write_block();

  ContainerWriter& file_;
  std::vector<std::uint32_t> block_;
  std::vector<CodeBounds> bounds_;
  std::vector<BitmapRow> rows_;
  std::uint64_t codes_ = 0;
  std::uint64_t words_ = 0;
};

}  // namespace gannet::index
