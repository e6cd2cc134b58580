// How many edits lead from one word to another.
#pragma once

#include <cstdint>
#include <string_view>

namespace gannet::query {

/// The Damerau-Levenshtein distance in characters, as optimal string alignment: the least number of
/// characters that are put in, left out or replaced, and of neighbours that are swapped, where no
/// part is edited twice. What Lucene's FuzzyQuery with transpositions counts. Takes O(a * b).
/// Thread-safe.
std::uint32_t edit_distance(std::u32string_view a, std::u32string_view b);

}  // namespace gannet::query
