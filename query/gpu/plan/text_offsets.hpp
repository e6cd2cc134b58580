// Where kernels read the lengths of texts. Host code; needs no GPU.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "index/index.hpp"

namespace gannet::query::cuda {

/// The lengths of all texts of a segment stand one after the other: those of the main text, then
/// those of the text fields in the order of the schema.
class TextOffsets {
 public:
  TextOffsets() = default;
  explicit TextOffsets(const index::Segment& segment)
      : fields_(segment.text_fields()), documents_(segment.statistics().documents) {}

  /// Where the lengths of a text begin: an offset from IndexView::lengths. `text`:
  /// index::kMainText, or the number of a text field of the segment.
  std::uint64_t of(std::uint32_t text) const {
    if (text == index::kMainText) return 0;
    const auto before = std::ranges::lower_bound(fields_, text) - fields_.begin();
    return (static_cast<std::uint64_t>(before) + 1) * documents_;
  }
  /// Lengths of all texts together.
  std::uint64_t values() const { return (fields_.size() + 1) * documents_; }
  const std::vector<std::uint32_t>& fields() const { return fields_; }

 private:
  std::vector<std::uint32_t> fields_;  ///< ascending
  std::uint64_t documents_ = 0;
};

}  // namespace gannet::query::cuda
