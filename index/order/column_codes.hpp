// The codes of a column, document by document.
#pragma once

#include <cstdint>
#include <vector>

#include "index/fields/field_column.hpp"
#include "index/fields/reading/mapped_texts.hpp"

namespace gannet::index {

/// Where a document's codes are.
struct CodePositions {
  std::uint64_t first = 0;  ///< also of a document without any; ascending with the documents
  std::uint64_t count = 0;
};

/// Of document `d` of a column. None if it lacks the field. The codes of stored texts are bytes.
inline CodePositions codes_of_document(const FieldColumn& column, std::uint32_t d) {
  if (column.texts() != nullptr) {
    // No other columns have texts.
    const TextRange range = static_cast<const MappedTexts&>(column).range(d);
    return {range.first, range.count};
  }
  if (column.multi()) {
    const std::uint32_t first = column.starts()[d];
    return {first, column.starts()[d + std::size_t{1}] - first};
  }
  return {d, column.has(d) && column.code_limit() != 0 ? 1u : 0u};
}

/// Reads single codes; the block that was read last stays decoded. Not thread-safe.
class ColumnCodes {
 public:
  explicit ColumnCodes(const FieldColumn& column) : column_(column) {}

  const FieldColumn& column() const { return column_; }
  /// The code at a position (< codes()). Throws FormatError for a damaged block.
  std::uint64_t at(std::uint64_t position) {
    const std::uint64_t block = position / kFieldBlock;
    if (block != block_) {
      codes_.resize(column_.blocks()[block].count);
      column_.decode(block, codes_.data());
      block_ = block;
    }
    return codes_[position % kFieldBlock];
  }

 private:
  const FieldColumn& column_;
  std::uint64_t block_ = ~std::uint64_t{0};
  std::vector<std::uint64_t> codes_;
};

}  // namespace gannet::index
