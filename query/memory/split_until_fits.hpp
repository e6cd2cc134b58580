// Work of which less needs less memory.
#pragma once

#include <cstddef>
#include <span>

#include "codecs/base/error.hpp"

namespace gannet::query {

/// Work is cut in two so many times at most: each attempt costs time, and what finds no room in a
/// 32nd of it finds none.
inline constexpr unsigned kMaxSplits = 5;

/// Calls run(items, depth), and where that ends in a DeviceMemoryError, failed(items), and run()
/// for each half of them at a depth of one more, at which less memory is taken for what is left; a
/// single item is tried again so. What fails at the depth kMaxSplits goes to give_up(items). Other
/// errors are the caller's. Returns how many times work was split.
template <class T, class Run, class Failed, class GiveUp>
std::size_t split_until_fits(std::span<const T> items, const Run& run, const Failed& failed,
                             const GiveUp& give_up, unsigned depth = 0) {
  if (items.empty()) return 0;
  try {
    run(items, depth);
    return 0;
  } catch (const DeviceMemoryError&) {
    failed(items);
  }
  if (depth == kMaxSplits) {
    give_up(items);
    return 0;
  }
  const std::size_t half = items.size() / 2;  // none of one
  return (half > 0 ? 1 : 0) + split_until_fits(items.first(half), run, failed, give_up, depth + 1) +
         split_until_fits(items.subspan(half), run, failed, give_up, depth + 1);
}

}  // namespace gannet::query
