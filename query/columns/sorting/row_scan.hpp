// The rows of matches, made from the columns that they are sorted by.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "query/columns/access/document_codes.hpp"
#include "query/columns/access/workers.hpp"
#include "query/columns/sorting/best_rows.hpp"
#include "query/columns/sorting/sort_row.hpp"

namespace gannet::query {

/// A sort key with the number of its field.
struct SortField {
  std::optional<std::size_t> field = {};  ///< nothing: the score
  bool descending = false;
  bool missing_first = false;
  bool keyword = false;
};

std::vector<SortField> sort_fields(const index::Schema& schema, std::span<const SortKey> keys);

/// Makes one part of the rows of a segment. Not thread-safe.
class PartReader {
 public:
  PartReader(const ColumnContext& context, const SortField& key, std::size_t segment);

  SortPart part(std::uint32_t document);

  /// The part of documents without a value.
  SortPart missing() const {
    return {key_.missing_first ? SortPart::kMissingFirst : SortPart::kMissingLast, 0};
  }
  /// The part of a value with this code.
  SortPart part_of(std::uint64_t code) const {
    const std::uint64_t value = key_.keyword ? code : keys_.key(code);
    return {SortPart::kValue, key_.descending ? ~value : value};
  }
  /// Calls f(codes of a block).
  template <class F>
  void with_block(std::size_t block, const F& f) {
    cursor_->with_block(block, f);
  }
  /// The best that a block's values can be.
  SortPart best_of(const index::FieldBlock& block) const {
    return part_of(key_.descending ? block.greatest : block.least);
  }
  /// The field, if blocks of it are ranges of documents.
  const index::FieldColumn* blocks() const {
    return column_ != nullptr && !column_->multi() ? column_ : nullptr;
  }

 private:
  SortField key_;
  const index::FieldColumn* column_ = nullptr;
  index::KeyMap keys_;
  std::optional<CodeCursor<std::uint64_t>> cursor_;
  std::span<const float> scores_;
};

/// Makes rows of the matches of one segment. Not thread-safe.
class RowScan {
 public:
  RowScan(const ColumnContext& context, std::span<const SortField> keys, std::size_t segment);

  /// Pushes the rows of a range's matches into `sink`, of which it first asks may_take(first part):
  /// what that refuses need not be pushed. Blocks of the first key that can only hold such rows are
  /// not decoded.
  template <class Sink>
  void scan(DocumentRange range, Sink& sink);

 private:
  /// Documents of a block of the first key; `without`: also those without a value.
  template <class Sink>
  void scan_block(DocumentRange range, std::size_t block, bool without, Sink& sink);
  /// Documents whose first key has no blocks; or of them those without a value.
  template <class Sink>
  void scan_each(DocumentRange range, bool with_values, Sink& sink);
  template <class Sink>
  void push(const SortPart& first, std::uint32_t document, Sink& sink);

  const DocumentBitmap& matches_;
  std::uint32_t segment_;
  std::vector<PartReader> parts_;
};

/// The scan of the segment that a worker is at: its decoded blocks take half a megabyte a key.
class ScanOfSegment {
 public:
  RowScan& of(const ColumnContext& context, std::span<const SortField> keys, std::size_t segment) {
    if (!scan_ || segment != segment_) scan_.emplace(context, keys, segment);
    segment_ = segment;
    return *scan_;
  }

 private:
  std::optional<RowScan> scan_;
  std::size_t segment_ = 0;
};

/// The chunks, those first whose values of the first key may be the best.
void order_chunks(const ColumnContext& context, const SortField& first, std::vector<Chunk>& chunks);

template <class Sink>
void RowScan::scan(DocumentRange range, Sink& sink) {
  const index::FieldColumn* const column = parts_[0].blocks();
  if (column == nullptr) return scan_each(range, true, sink);
  for (std::uint32_t begin = range.begin; begin < range.end;) {
    const std::size_t number = block_at(*column, begin);
    const index::FieldBlock& block = column->blocks()[number];
    const auto end =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(range.end, block.first + block.count));
    const bool values = block.least <= block.greatest && sink.may_take(parts_[0].best_of(block));
    const bool missing = !column->present().empty() && sink.may_take(parts_[0].missing());
    if (values) {
      scan_block({begin, end}, number, missing, sink);
    } else if (missing) {
      scan_each({begin, end}, false, sink);
    }
    begin = end;
  }
}

template <class Sink>
void RowScan::scan_block(DocumentRange range, std::size_t block, bool without, Sink& sink) {
  const index::FieldColumn& column = *parts_[0].blocks();
  const std::span<const std::uint64_t> present = column.present();
  const auto first = static_cast<std::uint32_t>(column.blocks()[block].first);
  const auto wanted = [&](std::uint32_t w) {
    return without || present.empty() ? matches_.words[w] : matches_.words[w] & present[w];
  };
  parts_[0].with_block(block, [&](const auto& codes) {
    for_each_bit(range, wanted, [&](std::uint32_t document) {
      const bool has = present.empty() || (present[document / 64] >> document % 64 & 1) != 0;
      push(has ? parts_[0].part_of(codes[document - first]) : parts_[0].missing(), document, sink);
    });
  });
}

template <class Sink>
void RowScan::scan_each(DocumentRange range, bool with_values, Sink& sink) {
  const auto wanted = [&](std::uint32_t w) {
    return with_values ? matches_.words[w] : matches_.words[w] & ~parts_[0].blocks()->present()[w];
  };
  for_each_bit(range, wanted,
               [&](std::uint32_t document) { push(parts_[0].part(document), document, sink); });
}

template <class Sink>
void RowScan::push(const SortPart& first, std::uint32_t document, Sink& sink) {
  if (!sink.may_take(first)) return;
  SortRow row;
  row.parts[0] = first;
  for (std::size_t i = 1; i < parts_.size(); ++i) row.parts[i] = parts_[i].part(document);
  row.segment = segment_;
  row.document = document;
  sink.push(row);
}

}  // namespace gannet::query
