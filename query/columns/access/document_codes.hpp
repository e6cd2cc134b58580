// Going through the codes of documents, block by block, in the order of the documents.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "index/fields/field_column.hpp"
#include "query/columns/access/decoded_columns.hpp"
#include "query/columns/access/match_words.hpp"
#include "query/filter/document_bitmap.hpp"

namespace gannet::query {

/// Whether a document has a value: fields with several values may have none of them.
inline bool has_value(const index::FieldColumn& column, std::uint32_t document) {
  if (!column.has(document)) return false;
  return !column.multi() || column.starts()[document] < column.starts()[document + 1];
}

/// The block that holds the code at this position (< codes()).
inline std::size_t block_at(const index::FieldColumn& column, std::uint64_t position) {
  const auto blocks = column.blocks();
  const auto after = std::ranges::upper_bound(blocks, position, {}, &index::FieldBlock::first);
  return static_cast<std::size_t>(after - blocks.begin()) - 1;
}

/// The codes of one column: those that stay decoded, which must outlive it, or blocks that are
/// decoded as they are asked for, of which the last one is kept. Not thread-safe.
template <class Code>
class CodeCursor {
 public:
  /// Of no column yet.
  CodeCursor() = default;
  explicit CodeCursor(const index::FieldColumn& column, const DecodedColumn* decoded = nullptr)
      : column_(&column), decoded_(decoded) {}

  /// From now on that of `column`, with the same memory.
  CodeCursor& of(const index::FieldColumn& column, const DecodedColumn* decoded = nullptr) {
    if (&column != column_) count_ = 0;
    column_ = &column;
    decoded_ = decoded;
    return *this;
  }

  const index::FieldColumn& column() const { return *column_; }

  /// Calls f(code) for the codes of a document that has the field, ascending.
  template <class F>
  void for_each(std::uint32_t document, const F& f) {
    if (!column_->has(document)) return;
    std::uint64_t at = document;
    std::uint64_t end = at + 1;
    if (column_->multi()) {
      at = column_->starts()[document];
      end = column_->starts()[document + 1];
    }
    while (at < end) {
      const std::size_t block = block_of(at);
      with_block(block, [&](const auto& codes) {
        const std::uint64_t first = at - column_->blocks()[block].first;
        const std::uint64_t count = std::min<std::uint64_t>(codes.size() - first, end - at);
        for (std::uint64_t i = 0; i < count; ++i) f(static_cast<Code>(codes[first + i]));
        at += count;
      });
    }
  }

  /// Calls f(codes of a block), with a span of Code or of less wide numbers.
  template <class F>
  void with_block(std::size_t block, const F& f) {
    if (decoded_ != nullptr) return decoded_->with_block(block, f);
    if (count_ == 0 || block != block_) load(block);
    f(std::span<const Code>(codes_).first(count_));
  }

 private:
  /// The block that holds the code at this position: mostly the last one.
  std::size_t block_of(std::uint64_t position) const {
    const bool last = block_ < column_->blocks().size() &&
                      position - column_->blocks()[block_].first < column_->blocks()[block_].count;
    return last ? block_ : block_at(*column_, position);
  }

  void load(std::size_t block) {
    const index::FieldBlock& at = column_->blocks()[block];
    count_ = 0;  // should decoding fail, nothing is there
    if (codes_.size() < at.count) codes_.resize(at.count);
    column_->decode(block, codes_.data());
    block_ = block;
    count_ = at.count;
  }

  const index::FieldColumn* column_ = nullptr;
  const DecodedColumn* decoded_ = nullptr;
  std::vector<Code> codes_;
  std::size_t block_ = 0;    ///< the last one
  std::uint32_t count_ = 0;  ///< its codes in codes_; 0: none is there
};

/// What for_each_code() calls may also take the codes of 64 documents in a row, of which all match:
/// what it adds up stays in registers then, and vectors can be used.
template <class F, class Code>
concept TakesRuns = requires(F& f, std::span<const Code, 64> codes) {
  f.take(codes);
};

/// Gives the codes of 64 documents in a row, `first` the first, to f.
template <class Code, class F, class Stored>
void give_run(F& f, std::uint32_t first, std::span<Stored, 64> codes) {
  if constexpr (TakesRuns<F, std::remove_const_t<Stored>>) {
    f.take(codes);
  } else {
    for (std::uint32_t i = 0; i < 64; ++i) f(first + i, static_cast<Code>(codes[i]));
  }
}

/// Calls f(document, code) for the codes of the documents of a range that match and have the field:
/// documents ascending, a document's codes ascending; or f.take(codes) for a word of documents, if
/// it TakesRuns. Blocks without any of them are not decoded.
template <class Code, class F>
void for_each_code(CodeCursor<Code>& cursor, const DocumentBitmap& matches, DocumentRange range,
                   F&& f) {
  const index::FieldColumn& column = cursor.column();
  if (column.multi()) {
    for_each_bit(
        range, [&](std::uint32_t w) { return matches.words[w]; },
        [&](std::uint32_t d) { cursor.for_each(d, [&](Code code) { f(d, code); }); });
    return;
  }
  const auto present = column.present();
  const auto wanted = [&](std::uint32_t w) {
    return present.empty() ? matches.words[w] : matches.words[w] & present[w];
  };
  for (std::uint32_t begin = range.begin; begin < range.end;) {
    const std::size_t number = block_at(column, begin);
    const index::FieldBlock& block = column.blocks()[number];
    const auto end =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(range.end, block.first + block.count));
    if (block.least <= block.greatest && any_in(matches, {begin, end})) {
      cursor.with_block(number, [&](const auto& codes) {
        const auto first = static_cast<std::uint32_t>(block.first);
        const auto one = [&](std::uint32_t d) { f(d, static_cast<Code>(codes[d - first])); };
        for_each_bit({begin, end}, wanted, one, [&](std::uint32_t d) {
          give_run<Code>(f, d, codes.subspan(d - first).template first<64>());
        });
      });
    }
    begin = end;
  }
}

/// The smallest and the largest code of a column's documents, by its blocks.
struct CodeSpan {
  std::uint64_t least = ~std::uint64_t{0};
  std::uint64_t greatest = 0;
  /// No document has the field.
  bool empty() const { return least > greatest; }
};

inline CodeSpan code_span(const index::FieldColumn& column) {
  CodeSpan span;
  for (const index::FieldBlock& block : column.blocks()) {
    if (block.least > block.greatest) continue;
    span.least = std::min(span.least, block.least);
    span.greatest = std::max(span.greatest, block.greatest);
  }
  return span;
}

}  // namespace gannet::query
