// Which places of a document belong to an occurrence of a window: window_shape.hpp says what one
// is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "query/phrases/window_shape.hpp"

namespace gannet::query {

/// What the occurrences of a window in a document are.
struct MarkedPlaces {
  /// Where any word of any occurrence stands, ascending.
  std::vector<std::uint32_t> places = {};
  /// Occurrences, counted as WindowShape says.
  std::uint64_t count = 0;
  /// Where the first of them begin, as many as were asked for: of each occurrence the least place
  /// that a word can have in it.
  std::vector<std::uint32_t> begins = {};
};

/// words[i]: the places of word i of `shape`, strictly ascending; of a word without any there is no
/// occurrence. `groups`: of words that may stand at the same places (window_groups.hpp). `begins`:
/// how many MarkedPlaces::begins are wanted.
///
/// Takes time linear in the places, times the words, but for words that share places, which take up
/// to the cube of the words a place besides; and sorts what it marks. Takes memory for the marked
/// places twice, and a bit a place of the words. Throws CancelledError as the thread's
/// StopScope says. Thread-safe.
MarkedPlaces marked_places(const WindowShape& shape,
                           std::span<const std::span<const std::uint32_t>> words,
                           std::span<const std::uint8_t> groups, std::size_t begins = 0);

}  // namespace gannet::query
