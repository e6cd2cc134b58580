// A check of lists of codecs.
#pragma once

#include <algorithm>
#include <iterator>
#include <tuple>

#include "codecs/core/ids.hpp"

namespace gannet::codecs {

/// Whether no codec is in a list twice.
template <class... Codec>
consteval bool are_distinct(std::tuple<Codec...>*) {
  constexpr CodecId ids[] = {Codec::id...};
  for (const CodecId& id : ids) {
    if (std::count(std::begin(ids), std::end(ids), id) != 1) return false;
  }
  return true;
}

}  // namespace gannet::codecs
