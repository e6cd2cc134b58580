// How many edits lead from one word to another, in characters.
#pragma once

#include <cstdint>
#include <string_view>

#include "index/text/words/edit_distance.hpp"

namespace gannet::query {

/// index::edit_distance() of code points.
inline std::uint32_t edit_distance(std::u32string_view a, std::u32string_view b) {
  return index::edit_distance(a, b);
}

}  // namespace gannet::query
