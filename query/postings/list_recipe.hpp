// What a list that is made for a plan consists of, in one segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/index.hpp"
#include "query/phrases/window_shape.hpp"

namespace gannet::query {

struct ListRecipe {
  /// What a document has in the list.
  enum class Kind : std::uint8_t {
    kSum,     ///< of a union: the sum of its terms' frequencies (or impacts), at most 2^32 - 1
    kOne,     ///< of a union: 1
    kWindow,  ///< the number of occurrences of a window (window_shape.hpp)
  };
  Kind kind = Kind::kSum;
  /// Terms of the segment, all of one text. Of a union: distinct and ascending. Of a window: those
  /// of the first word, then those of the next one, ... of each word distinct and ascending.
  std::vector<index::TermId> terms = {};
  /// Of a window, by word: where its terms end in `terms`.
  std::vector<std::uint32_t> ends = {};
  WindowShape window = {};
  bool operator==(const ListRecipe&) const = default;

  std::size_t words() const { return ends.size(); }
  std::span<const index::TermId> word(std::size_t i) const {
    const std::uint32_t begin = i == 0 ? 0 : ends[i - 1];
    return std::span(terms).subspan(begin, ends[i] - begin);
  }
  std::size_t hash() const;
  std::size_t bytes() const {
    return terms.capacity() * sizeof(index::TermId) +
           (ends.capacity() + window.places.capacity()) * sizeof(std::uint32_t);
  }
};

/// Documents with frequencies, as a list is made of.
struct MadePostings {
  std::vector<index::Docid> docids;
  std::vector<std::uint32_t> frequencies;
};

}  // namespace gannet::query
