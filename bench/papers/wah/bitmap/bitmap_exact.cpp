#include "bench/papers/wah/bitmap/bitmap_exact.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "bench/papers/wah/bitmap/bitmap_combine.hpp"
#include "codecs/base/error.hpp"

namespace gannet::wah {
namespace {

void check_columns(std::uint64_t rows, std::span<const KeyColumn> columns,
                   std::span<const ValueRange> ranges) {
  for (const ValueRange& range : ranges) {
    if (range.attribute < columns.size() && columns[range.attribute].size() == rows) continue;
    throw UsageError("the column of attribute " + std::to_string(range.attribute) +
                     " is missing or has not " + std::to_string(rows) + " rows");
  }
}

}  // namespace

std::vector<std::uint32_t> check_candidates(std::span<const std::uint32_t> candidates,
                                            std::span<const KeyColumn> columns,
                                            std::span<const ValueRange> ranges) {
  std::vector<std::uint32_t> rows;
  for (const std::uint32_t row : candidates) {
    const bool wanted = std::all_of(ranges.begin(), ranges.end(), [&](const ValueRange& range) {
      const BinKey key = columns[range.attribute][row];
      return range.least <= key && key <= range.most;
    });
    if (wanted) rows.push_back(row);
  }
  return rows;
}

template <class Word>
std::vector<std::uint32_t> exact_rows(const BitmapIndex<Word>& index,
                                      std::span<const KeyColumn> columns,
                                      std::span<const ValueRange> ranges) {
  check_columns(index.rows(), columns, ranges);
  const std::vector<Word> sure = evaluate<Word>(index.view(), index.inside(ranges));
  const std::vector<Word> possible = evaluate<Word>(index.view(), index.touching(ranges));
  const std::vector<Word> doubtful = without<Word>(possible, sure);
  const auto checked = check_candidates(row_ids<Word>(doubtful), columns, ranges);
  const auto certain = row_ids<Word>(sure);
  std::vector<std::uint32_t> rows;
  rows.reserve(checked.size() + certain.size());
  std::merge(checked.begin(), checked.end(), certain.begin(), certain.end(),
             std::back_inserter(rows));
  return rows;
}

template std::vector<std::uint32_t> exact_rows<std::uint32_t>(const BitmapIndex<std::uint32_t>&,
                                                              std::span<const KeyColumn>,
                                                              std::span<const ValueRange>);
template std::vector<std::uint32_t> exact_rows<std::uint64_t>(const BitmapIndex<std::uint64_t>&,
                                                              std::span<const KeyColumn>,
                                                              std::span<const ValueRange>);

}  // namespace gannet::wah
