// Finding the records of JSON files: one a line, or values that span lines and arrays of them.
#pragma once

#include <cstdint>
#include <string_view>

#include "corpora/documents/batch_reader.hpp"

namespace gannet::corpora {

/// Cuts at line ends where the file's first value ends on its first line; otherwise looks for the
/// ends of the values themselves, at the top level or inside one array, and fills in piece.spans.
class JsonSplitter : public RecordSplitter {
 public:
  std::size_t cut(std::string_view text, bool at_end, Piece& piece) override;

 private:
  enum class Shape { kUnknown, kLines, kValues };

  static Shape shape_of(std::string_view text, bool at_end);
  std::size_t cut_values(std::string_view text, bool at_end, Piece& piece);

  Shape shape_ = Shape::kUnknown;
  LineSplitter lines_;
  bool in_array_ = false;
  std::uint64_t array_line_ = 0;
};

}  // namespace gannet::corpora
