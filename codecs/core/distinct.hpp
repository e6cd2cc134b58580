// A check that lists of codecs have no duplicates.
#pragma once

#include <algorithm>
#include <iterator>
#include <tuple>

#include "codecs/core/ids.hpp"

namespace gannet::codecs {

/// Whether the ids of the codecs differ. The list must not be empty. The pointer is not read.
template <class... Codec>
consteval bool are_distinct(std::tuple<Codec...>*) {
  constexpr CodecId ids[] = {Codec::id...};
  for (const CodecId& id : ids) {
    if (std::count(std::begin(ids), std::end(ids), id) != 1) return false;
  }
  return true;
}

}  // namespace gannet::codecs
