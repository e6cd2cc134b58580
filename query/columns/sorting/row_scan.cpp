#include "query/columns/sorting/row_scan.hpp"

#include <algorithm>
#include <utility>

#include "query/columns/access/field_access.hpp"

namespace gannet::query {

std::vector<SortField> sort_fields(const index::Schema& schema, std::span<const SortKey> keys) {
  std::vector<SortField> fields;
  for (const SortKey& key : keys) {
    SortField made{std::nullopt, key.descending, key.missing_first, false};
    if (!key.field.empty()) {
      made.field = column_number(schema, key.field, "sort");
      made.keyword = schema.fields()[*made.field].is_keyword();
    }
    fields.push_back(made);
  }
  return fields;
}

PartReader::PartReader(const ColumnContext& context, const SortField& key, std::size_t segment)
    : key_(key) {
  if (!key.field) {
    scores_ = context.matches.scores[segment];
    return;
  }
  column_ = &context.column(segment, *key.field);
  keys_ = column_->keys();
  cursor_.emplace(*column_, context.decoded(segment, *key.field));
}

SortPart PartReader::part(std::uint32_t document) {
  if (column_ == nullptr) {
    // Scores are >= 0, so their bits are in their order.
    const std::uint64_t bits = std::bit_cast<std::uint32_t>(scores_[document]);
    return {SortPart::kValue, key_.descending ? ~bits : bits};
  }
  bool any = false;
  std::uint64_t chosen = 0;
  cursor_->for_each(document, [&](std::uint64_t code) {
    if (!any || key_.descending) chosen = code;  // ascending: the first is the least
    any = true;
  });
  return any ? part_of(chosen) : missing();
}

RowScan::RowScan(const ColumnContext& context, std::span<const SortField> keys, std::size_t segment)
    : matches_(context.matches.segments[segment]), segment_(static_cast<std::uint32_t>(segment)) {
  for (const SortField& key : keys) parts_.emplace_back(context, key, segment);
}

void order_chunks(const ColumnContext& context, const SortField& first,
                  std::vector<Chunk>& chunks) {
  if (!first.field) return;
  std::vector<std::pair<SortPart, Chunk>> bounds;
  for (const Chunk& chunk : chunks) {
    const PartReader reader(context, first, chunk.segment);
    const index::FieldColumn* const column = reader.blocks();
    if (column == nullptr) return;  // blocks are no ranges of documents
    SortPart best{SortPart::kMissingLast, 0};
    for (std::size_t b = block_at(*column, chunk.range.begin);
         b < column->blocks().size() && column->blocks()[b].first < chunk.range.end; ++b) {
      const index::FieldBlock& block = column->blocks()[b];
      if (block.least <= block.greatest) best = std::min(best, reader.best_of(block));
    }
    bounds.emplace_back(best, chunk);
  }
  std::ranges::stable_sort(bounds, {}, &std::pair<SortPart, Chunk>::first);
  std::ranges::transform(bounds, chunks.begin(), &std::pair<SortPart, Chunk>::second);
}

}  // namespace gannet::query
