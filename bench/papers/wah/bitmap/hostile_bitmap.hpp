// What damaged bitmap indexes must keep: an index that validate_bitmap() accepts answers every
// query without leaving its arrays, and in every way with the same count.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "bench/papers/wah/bitmap/bitmap_index.hpp"
#include "bench/papers/wah/bitmap/bitmap_rank.hpp"
#include "codecs/base/error.hpp"
#include "codecs/wah/wah.hpp"

namespace gannet::wah {

/// Rows of a vector, by the look-ups that the GPU makes.
template <class Word>
std::uint64_t count_by_ranks(std::span<const Word> atoms, std::uint64_t groups) {
  const auto entries = wah::make_ranks<Word>(atoms, groups);
  std::uint64_t count = 0;
  for (std::uint64_t g = 0; g < groups; ++g) {
    const Word group =
        wah::group_of<Word>(entries[g / wah::kRankGroups], g % wah::kRankGroups, atoms.data());
    count += static_cast<std::uint64_t>(std::popcount(group));
  }
  return count;
}

template <class Word>
void query_bitmap(const wah::BitmapView<Word>& view) {
  wah::BitmapQuery all;
  for (std::uint32_t v = 0; v < view.vectors(); ++v) {
    const wah::BitmapQuery one{{{v}}};
    const std::uint64_t count = wah::count_rows(view, one);
    const auto plain = codecs::wah_decode<Word>(view.vector(v), view.rows);
    if (codecs::wah_count<Word>(wah::evaluate(view, one)) != count ||
        count_by_ranks<Word>(view.vector(v), codecs::wah_groups<Word>(view.rows)) != count ||
        wah::row_ids<Word>(view.vector(v)).size() != count ||
        plain.size() != codecs::bit_words(view.rows)) {
      throw std::logic_error("a vector has two counts");
    }
    all.clauses.push_back({v, v / 2});
  }
  if (codecs::wah_count<Word>(wah::evaluate(view, all)) != wah::count_rows(view, all)) {
    throw std::logic_error("a query has two counts");
  }
}

/// One width of atoms. Input: rows (16 bits), vectors (8 bits), the first atom of each vector and
/// of the end (a byte each), then the atoms.
template <class Word>
void try_bitmap_of(std::span<const std::uint8_t> input) {
  if (input.size() < 3) return;
  wah::BitmapView<Word> view;
  view.rows = input[0] + 256u * input[1];
  const std::size_t vectors = input[2] % 16;
  input = input.subspan(3);
  if (input.size() < vectors + 1) return;
  const std::vector<std::uint64_t> first(input.begin(),
                                         input.begin() + static_cast<std::ptrdiff_t>(vectors + 1));
  input = input.subspan(vectors + 1);
  std::vector<Word> atoms(input.size() / sizeof(Word));
  if (!atoms.empty()) std::memcpy(atoms.data(), input.data(), atoms.size() * sizeof(Word));
  const std::uint32_t attributes[] = {0, static_cast<std::uint32_t>(vectors)};
  view.atoms = atoms;
  view.first = first;
  view.attributes = attributes;
  try {
    wah::validate_bitmap(view);
  } catch (const FormatError&) {
    return;  // refused, as it should be
  }
  query_bitmap(view);
}

}  // namespace gannet::wah
