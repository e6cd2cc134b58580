#include "query/columns/sorting/row_bound.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "codecs/base/error.hpp"
#include "query/columns/access/field_access.hpp"

namespace gannet::query {
namespace {

/// The hit's row as its own segment has it. Its score is not among those of the matches if the
/// document has been deleted since.
SortRow row_of(const ColumnContext& context, std::span<const SortField> keys, const Hit& hit) {
  if (hit.docid >= context.index.statistics().documents) {
    throw UsageError("the page begins behind document " + std::to_string(hit.docid) +
                     ", which the index does not have");
  }
  SortRow row;
  for (std::size_t s = context.segments(); s-- > 0 && row.segment == 0;) {
    if (context.index.docid_base(s) <= hit.docid) row.segment = static_cast<std::uint32_t>(s);
  }
  row.document = hit.docid - context.index.docid_base(row.segment);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (keys[i].field) {
      row.parts[i] = PartReader(context, keys[i], row.segment).part(row.document);
    } else {
      const std::uint64_t bits = std::bit_cast<std::uint32_t>(hit.score);
      row.parts[i] = {SortPart::kValue, keys[i].descending ? ~bits : bits};
    }
  }
  return row;
}

/// The part of a keyword in another segment; `equal` becomes false if the segment does not have it,
/// and the part is that of the next keyword then.
SortPart part_in(const index::FieldColumn& column, std::string_view text, bool descending,
                 bool& equal) {
  const index::KeywordDictionary* const dictionary = column.dictionary();
  const std::uint64_t size = dictionary == nullptr ? 0 : dictionary->size();
  const std::uint32_t at = size == 0 ? 0 : dictionary->lower_bound(text);
  equal = at < size && dictionary->text(at) == text;
  if (!descending) return {SortPart::kValue, at};
  if (equal) return {SortPart::kValue, ~std::uint64_t{at}};
  if (at == 0) return {SortPart::kMissingLast, 0};  // all keywords of the segment come before
  return {SortPart::kValue, ~std::uint64_t{at - 1}};
}

RowBound bound_in(const ColumnContext& context, std::span<const SortField> keys, SortRow row,
                  std::size_t segment) {
  for (std::size_t i = 0; i < keys.size(); ++i) {
    SortPart& part = row.parts[i];
    if (!keys[i].keyword || part.rank != SortPart::kValue || segment == row.segment) continue;
    const std::uint64_t code = keys[i].descending ? ~part.value : part.value;
    const std::string text = text_of(context.column(row.segment, *keys[i].field), code);
    bool equal = false;
    part = part_in(context.column(segment, *keys[i].field), text, keys[i].descending, equal);
    if (!equal) return {row, i};
  }
  return {row, kMaxSortKeys};
}

}  // namespace

std::vector<RowBound> row_bounds(const ColumnContext& context, std::span<const SortField> keys,
                                 const Hit& after) {
  const SortRow row = row_of(context, keys, after);
  std::vector<RowBound> bounds;
  for (std::size_t s = 0; s < context.segments(); ++s) {
    bounds.push_back(bound_in(context, keys, row, s));
  }
  return bounds;
}

}  // namespace gannet::query
