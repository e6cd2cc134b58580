#include "bench/papers/wah/bitmap/bitmap_index.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "bench/papers/wah/bitmap/bitmap_combine.hpp"
#include "codecs/base/error.hpp"
#include "codecs/wah/wah.hpp"

namespace gannet::wah {

using codecs::wah_groups;

template <class Word>
void validate_bitmap(const BitmapView<Word>& view) {
  if (view.rows == 0 || view.rows > kMaxBitmapRows) {
    throw FormatError("bitmap index: it cannot have " + std::to_string(view.rows) + " rows");
  }
  const auto ascends = [](auto offsets, std::uint64_t end) {
    return !offsets.empty() && offsets.front() == 0 && offsets.back() == end &&
           std::is_sorted(offsets.begin(), offsets.end());
  };
  if (!ascends(view.first, view.atoms.size())) {
    throw FormatError("bitmap index: the places of the vectors do not ascend");
  }
  if (!ascends(view.attributes, view.vectors())) {
    throw FormatError("bitmap index: the attributes' vectors do not ascend");
  }
  for (std::uint32_t v = 0; v < view.vectors(); ++v) {
    try {
      codecs::wah_validate(view.vector(v), view.rows);
    } catch (const FormatError& error) {
      throw FormatError("bitmap index: vector " + std::to_string(v) + ": " + error.what());
    }
  }
}

template <class Word>
void check_query(const BitmapView<Word>& view, const BitmapQuery& query) {
  for (const auto& clause : query.clauses) {
    for (const std::uint32_t v : clause) {
      if (v < view.vectors()) continue;
      throw UsageError("the index has no vector " + std::to_string(v) + " (it has " +
                       std::to_string(view.vectors()) + ")");
    }
  }
}

namespace {

template <class Word>
std::vector<Word> all_rows(std::uint64_t rows) {
  std::vector<Word> atoms;
  codecs::WahWriter<Word> writer(atoms);
  const std::uint64_t groups = wah_groups<Word>(rows);
  writer.run(true, groups - 1);
  writer.group(codecs::wah_tail_mask<Word>(rows));
  writer.flush();
  return atoms;
}

template <class Word>
void or_clause(const BitmapView<Word>& view, std::span<const std::uint32_t> clause,
               std::vector<Word>& groups) {
  std::fill(groups.begin(), groups.end(), Word{0});
  for (const std::uint32_t v : clause) or_into<Word>(view.vector(v), groups);
}

}  // namespace

template <class Word>
std::vector<Word> evaluate(const BitmapView<Word>& view, const BitmapQuery& query) {
  check_query(view, query);
  const std::uint64_t groups = wah_groups<Word>(view.rows);
  std::vector<Word> result = all_rows<Word>(view.rows);
  for (const auto& clause : query.clauses) {
    std::vector<std::span<const Word>> vectors;
    vectors.reserve(clause.size());
    for (const std::uint32_t v : clause) vectors.push_back(view.vector(v));
    const std::vector<Word> selected = any_of<Word>(vectors, groups);
    result = both<Word>(result, selected);
  }
  return result;
}

template <class Word>
std::uint64_t count_rows(const BitmapView<Word>& view, const BitmapQuery& query) {
  check_query(view, query);
  if (query.clauses.empty()) return view.rows;
  const std::uint64_t groups = wah_groups<Word>(view.rows);
  std::vector<Word> result(groups);
  std::vector<Word> next(query.clauses.size() > 1 ? groups : 0);
  or_clause<Word>(view, query.clauses[0], result);
  for (std::size_t i = 1; i < query.clauses.size(); ++i) {
    or_clause<Word>(view, query.clauses[i], next);
    for (std::uint64_t g = 0; g < groups; ++g) result[g] &= next[g];
  }
  std::uint64_t count = 0;
  for (const Word group : result) count += static_cast<std::uint64_t>(std::popcount(group));
  return count;
}

template <class Word>
std::vector<std::uint32_t> row_ids(std::span<const Word> atoms) {
  std::vector<std::uint32_t> ids;
  ids.reserve(codecs::wah_count(atoms));
  codecs::wah_for_each(atoms,
                       [&](std::uint64_t row) { ids.push_back(static_cast<std::uint32_t>(row)); });
  return ids;
}

template <class Word>
BitmapIndex<Word>::BitmapIndex(std::uint64_t rows) : rows_(rows) {
  if (rows == 0 || rows > kMaxBitmapRows) {
    throw UsageError("a bitmap index has from 1 to " + std::to_string(kMaxBitmapRows) +
                     " rows, not " + std::to_string(rows));
  }
}

template <class Word>
std::uint32_t BitmapIndex<Word>::add(const Bins& bins, std::span<const BinKey> keys) {
  if (keys.size() != rows_) {
    throw UsageError("a column of " + std::to_string(keys.size()) +
                     " rows does not fit an index of " + std::to_string(rows_));
  }
  const std::vector<std::uint32_t> bin_of_row = bins.assign(keys);
  return add(bins.widened(keys, bin_of_row),
             codecs::wah_encode_vectors<Word>(bin_of_row, bins.size()));
}

template <class Word>
std::uint32_t BitmapIndex<Word>::add(Bins bins, codecs::WahVectors<Word> vectors) {
  if (vectors.first.size() != std::size_t{bins.size()} + 1) {
    throw UsageError("an attribute of " + std::to_string(bins.size()) +
                     " bins needs as many vectors");
  }
  const std::uint32_t ends[] = {0, bins.size()};
  try {
    validate_bitmap<Word>({rows_, vectors.atoms, vectors.first, ends});
  } catch (const FormatError& error) {
    throw UsageError(error.what());
  }
  const std::uint64_t base = atoms_.size();
  atoms_.insert(atoms_.end(), vectors.atoms.begin(), vectors.atoms.end());
  for (std::size_t i = 1; i < vectors.first.size(); ++i) {
    first_.push_back(base + vectors.first[i]);
  }
  attributes_.push_back(static_cast<std::uint32_t>(first_.size() - 1));
  bins_.push_back(std::move(bins));
  return attributes() - 1;
}

template <class Word>
std::vector<std::uint32_t> BitmapIndex<Word>::clause(std::uint32_t attribute, std::uint32_t first,
                                                     std::uint32_t last) const {
  if (attribute >= attributes() || first > last || last > bins_[attribute].size()) {
    throw UsageError("there are no bins [" + std::to_string(first) + ", " + std::to_string(last) +
                     ") of attribute " + std::to_string(attribute));
  }
  std::vector<std::uint32_t> vectors;
  for (std::uint32_t bin = first; bin < last; ++bin) {
    vectors.push_back(attributes_[attribute] + bin);
  }
  return vectors;
}

template <class Word>
BitmapQuery BitmapIndex<Word>::touching(std::span<const ValueRange> ranges) const {
  BitmapQuery query;
  for (const ValueRange& range : ranges) {
    if (range.attribute >= attributes()) clause(range.attribute, 0, 0);
    const Bins& bins = bins_[range.attribute];
    std::uint32_t first = 0;
    while (first < bins.size() && bins[first].largest < range.least) ++first;
    std::uint32_t last = first;
    while (last < bins.size() && bins[last].smallest <= range.most) ++last;
    query.clauses.push_back(clause(range.attribute, first, last));
  }
  return query;
}

template <class Word>
BitmapQuery BitmapIndex<Word>::inside(std::span<const ValueRange> ranges) const {
  BitmapQuery query = touching(ranges);
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const ValueRange& range = ranges[i];
    const Bins& bins = bins_[range.attribute];
    std::erase_if(query.clauses[i], [&](std::uint32_t v) {
      const Bin& bin = bins[v - attributes_[range.attribute]];
      return bin.smallest < range.least || bin.largest > range.most;
    });
  }
  return query;
}

#define GANNET_INSTANTIATE(Word)                                                          \
  template void validate_bitmap<Word>(const BitmapView<Word>&);                           \
  template void check_query<Word>(const BitmapView<Word>&, const BitmapQuery&);           \
  template std::vector<Word> evaluate<Word>(const BitmapView<Word>&, const BitmapQuery&); \
  template std::uint64_t count_rows<Word>(const BitmapView<Word>&, const BitmapQuery&);   \
  template std::vector<std::uint32_t> row_ids<Word>(std::span<const Word>);               \
  template class BitmapIndex<Word>;
GANNET_INSTANTIATE(std::uint32_t)
GANNET_INSTANTIATE(std::uint64_t)
#undef GANNET_INSTANTIATE

}  // namespace gannet::wah
