// Random attributes and queries for the tests of the bitmap index, and the rows that a query
// selects, found row by row from the bins: the oracle.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "bench/papers/wah/bitmap/bitmap_index.hpp"

namespace gannet::wah {

/// The bin of every row, an attribute each.
struct BinnedRows {
  std::uint32_t rows;
  std::vector<std::uint32_t> bins;
  std::vector<std::vector<std::uint32_t>> bin_of_row;
};

/// Attributes from noise to long runs: attribute a's runs are about 4^a rows long.
inline BinnedRows random_attributes(std::uint32_t rows, std::vector<std::uint32_t> bins,
                                    std::uint32_t seed) {
  std::mt19937 random(seed);
  BinnedRows data{rows, std::move(bins), {}};
  for (std::size_t a = 0; a < data.bins.size(); ++a) {
    const std::uint32_t mean = 1u << (2 * (a % 7));
    std::vector<std::uint32_t> column(rows);
    std::uint32_t bin = 0;
    std::uint32_t left = 0;
    for (auto& value : column) {
      if (left == 0) {
        bin = static_cast<std::uint32_t>(random() % data.bins[a]);
        left = 1 + static_cast<std::uint32_t>(random() % (2 * mean));
      }
      value = bin;
      --left;
    }
    data.bin_of_row.push_back(std::move(column));
  }
  return data;
}

/// Bins of width 1: bin b is the value b.
inline wah::Bins unit_bins(std::uint32_t count) {
  std::vector<wah::Bin> bins;
  for (std::uint32_t b = 0; b < count; ++b) bins.push_back({b, b, b});
  return wah::Bins(std::move(bins));
}

template <class Word>
wah::BitmapIndex<Word> index_of(const BinnedRows& data) {
  wah::BitmapIndex<Word> index(data.rows);
  for (std::size_t a = 0; a < data.bins.size(); ++a) {
    index.add(unit_bins(data.bins[a]),
              codecs::wah_encode_vectors<Word>(data.bin_of_row[a], data.bins[a]));
  }
  return index;
}

/// The rows that a query selects.
inline std::vector<std::uint32_t> expected_rows(const BinnedRows& data,
                                                const wah::BitmapQuery& query) {
  std::vector<std::uint32_t> first{0};
  for (const std::uint32_t bins : data.bins) first.push_back(first.back() + bins);
  std::vector<std::vector<bool>> wanted(query.clauses.size(), std::vector<bool>(first.back()));
  for (std::size_t c = 0; c < query.clauses.size(); ++c) {
    for (const std::uint32_t v : query.clauses[c]) wanted[c][v] = true;
  }
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < data.rows; ++row) {
    bool selected = true;
    for (const auto& clause : wanted) {
      bool any = false;
      for (std::size_t a = 0; a < data.bins.size(); ++a) {
        any = any || clause[first[a] + data.bin_of_row[a][row]];
      }
      selected = selected && any;
    }
    if (selected) rows.push_back(row);
  }
  return rows;
}

/// Queries of every form: none, empty clauses, one vector, ranges of bins, an OR over several
/// attributes (the paper's), repeated vectors, everything.
inline std::vector<wah::BitmapQuery> some_queries(const BinnedRows& data, std::uint32_t seed,
                                                  std::uint32_t count) {
  std::mt19937 random(seed);
  const auto below = [&](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  std::vector<std::uint32_t> first{0};
  for (const std::uint32_t bins : data.bins) first.push_back(first.back() + bins);
  std::vector<wah::BitmapQuery> queries{{}, {{{}}}, {{{0}}}, {{{0}, {}}}, {{{0, 0}, {0}}}};
  std::vector<std::uint32_t> all;
  for (std::uint32_t v = 0; v < first.back(); ++v) all.push_back(v);
  queries.push_back({{all}});
  for (std::uint32_t q = 0; q < count; ++q) {
    wah::BitmapQuery query;
    for (std::uint32_t a = 0; a < data.bins.size(); ++a) {
      if (below(3) == 0) continue;
      const std::uint32_t from = below(data.bins[a]);
      const std::uint32_t to = from + 1 + below(data.bins[a] - from);
      auto& clause = query.clauses.emplace_back();
      for (std::uint32_t bin = from; bin < to; ++bin) clause.push_back(first[a] + bin);
      if (below(4) == 0) clause.push_back(below(first.back()));
    }
    queries.push_back(std::move(query));
  }
  return queries;
}

/// Decompressed groups of rows, made from the rows alone.
template <class Word>
std::vector<Word> groups_of(const std::vector<std::uint32_t>& rows, std::uint32_t count) {
  constexpr std::uint32_t kRows = 8 * sizeof(Word) - 1;
  std::vector<Word> groups((count + kRows - 1) / kRows);
  for (const std::uint32_t row : rows) {
    groups[row / kRows] |= static_cast<Word>(Word{1} << (kRows - 1 - row % kRows));
  }
  return groups;
}

}  // namespace gannet::wah
