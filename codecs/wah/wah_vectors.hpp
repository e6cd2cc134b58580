// A column as WAH bit vectors: one vector for each different value.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "codecs/base/error.hpp"
#include "codecs/wah/wah.hpp"

namespace gannet::codecs {

/// Vectors of one column, in host memory: vector i is atoms [first[i], first[i + 1]).
template <class Word>
struct WahVectors {
  std::vector<Word> atoms;
  std::vector<std::uint64_t> first{0};
};

/// Compresses a column of codes: vector i has the rows whose code is i. The function throws
/// UsageError if a code is not below `vectors`. It takes time in O(rows + vectors) and is
/// thread-safe.
template <class Word>
WahVectors<Word> wah_encode_vectors(std::span<const std::uint32_t> codes, std::uint32_t vectors) {
  std::vector<std::vector<Word>> atoms(vectors);
  std::vector<WahRowWriter<Word>> writers;
  writers.reserve(vectors);
  for (auto& vector : atoms) writers.emplace_back(vector);
  for (std::size_t row = 0; row < codes.size(); ++row) {
    if (codes[row] >= vectors) {
      throw UsageError("row " + std::to_string(row) + " is in vector " +
                       std::to_string(codes[row]) + " of " + std::to_string(vectors));
    }
    writers[codes[row]].set(row);
  }
  WahVectors<Word> result;
  for (std::uint32_t i = 0; i < vectors; ++i) {
    writers[i].finish(codes.size());
    result.atoms.insert(result.atoms.end(), atoms[i].begin(), atoms[i].end());
    result.first.push_back(result.atoms.size());
    atoms[i] = {};
  }
  return result;
}

}  // namespace gannet::codecs
