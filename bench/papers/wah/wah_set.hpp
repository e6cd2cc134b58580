// A data set of the WAH benchmarks, indexed, and the paper's queries on it.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bench/frame/data.hpp"
#include "bench/frame/timing.hpp"
#include "bench/papers/wah/bitmap/bitmap_index.hpp"
#include "bench/papers/wah/wah_data.hpp"
#include "bench/papers/wah/wah_roaring.hpp"
#include "codecs/base/error.hpp"

namespace gannet::bench {

/// A data set's WAH vectors and, where the build has CRoaring, the same vectors in it.
template <class Word>
struct IndexedSet {
  std::string name;
  wah::BitmapIndex<Word> bitmap;
  RoaringVectors roaring;
};

/// Bins of width 1: the generators give bins, not values.
inline wah::Bins numbered_bins(std::uint32_t count) {
  std::vector<wah::Bin> bins;
  for (std::uint32_t b = 0; b < count; ++b) bins.push_back({b, b, b});
  return wah::Bins(std::move(bins));
}

/// Generates and indexes a data set, an attribute a thread.
template <class Word>
IndexedSet<Word> index_set(const BitmapShape& shape, std::uint32_t threads) {
  std::vector<codecs::WahVectors<Word>> vectors(shape.attributes);
  std::vector<RoaringVectors> roaring(shape.attributes);
  std::atomic<std::size_t> next{0};
  const auto work = [&](std::size_t a) {
    const BinnedColumn column = shape.make(static_cast<std::uint32_t>(a), shape.rows);
    vectors[a] = codecs::wah_encode_vectors<Word>(column.bin_of_row, column.bins);
    roaring[a].add(column.bin_of_row, column.bins);
  };
  in_parallel(threads, [&](std::size_t) {
    for (std::size_t a = next++; a < shape.attributes; a = next++) work(a);
  });
  IndexedSet<Word> set{shape.name, wah::BitmapIndex<Word>(shape.rows), {}};
  for (std::uint32_t a = 0; a < shape.attributes; ++a) {
    const auto bins = static_cast<std::uint32_t>(vectors[a].first.size() - 1);
    set.bitmap.add(numbered_bins(bins), std::move(vectors[a]));
    set.roaring.take(roaring[a]);
  }
  return set;
}

/// The paper's queries: the OR of `size` neighbouring vectors, at `count` places.
template <class Word>
std::vector<wah::BitmapQuery> or_queries(const wah::BitmapIndex<Word>& bitmap, std::uint32_t size,
                                         std::uint32_t count) {
  const std::uint32_t vectors = bitmap.view().vectors();
  size = std::min(size, vectors);
  std::vector<wah::BitmapQuery> queries;
  for (std::uint32_t q = 0; q < count; ++q) {
    const std::uint64_t span = vectors - size;
    const auto first = static_cast<std::uint32_t>(count > 1 ? span * q / (count - 1) : 0);
    auto& clause = queries.emplace_back().clauses.emplace_back();
    for (std::uint32_t i = 0; i < size; ++i) clause.push_back(first + i);
  }
  return queries;
}

/// ORs of `size` vectors, `count` of them, of which no two are the same: any vectors of the index.
template <class Word>
std::vector<wah::BitmapQuery> distinct_or_queries(const wah::BitmapIndex<Word>& bitmap,
                                                  std::uint32_t size, std::uint32_t count) {
  const std::uint32_t vectors = bitmap.view().vectors();
  if (size >= vectors) throw UsageError("queries of all vectors are all the same");
  std::set<std::vector<std::uint32_t>> chosen;
  Mixer random(size);
  while (chosen.size() < count) {
    std::vector<std::uint32_t> all(vectors);
    std::iota(all.begin(), all.end(), 0u);
    for (std::uint32_t i = 0; i < size; ++i) std::swap(all[i], all[i + random.below(vectors - i)]);
    all.resize(size);
    std::sort(all.begin(), all.end());
    chosen.insert(std::move(all));
  }
  std::vector<wah::BitmapQuery> queries;
  for (const auto& clause : chosen) queries.push_back({{clause}});
  return queries;
}

/// Queries of `size` vectors as a user asks them: a range of bins in each of several attributes (at
/// most half of an attribute's bins), ANDed.
template <class Word>
std::vector<wah::BitmapQuery> and_queries(const wah::BitmapIndex<Word>& bitmap, std::uint32_t size,
                                          std::uint32_t count) {
  std::vector<wah::BitmapQuery> queries;
  Mixer random(count);
  for (std::uint32_t q = 0; q < count; ++q) {
    wah::BitmapQuery query;
    std::uint32_t left = size;
    for (std::uint32_t i = 0; i < bitmap.attributes() && left > 0; ++i) {
      const std::uint32_t attribute = (q + i) % bitmap.attributes();
      const std::uint32_t bins = bitmap.bins(attribute).size();
      const std::uint32_t width = std::min(left, std::max(1u, bins / 2));
      const auto first = static_cast<std::uint32_t>(random.below(bins - width + 1) / 2);
      query.clauses.push_back(bitmap.clause(attribute, first, first + width));
      left -= width;
    }
    queries.push_back(std::move(query));
  }
  return queries;
}

}  // namespace gannet::bench
