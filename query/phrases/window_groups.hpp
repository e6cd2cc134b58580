// Words of a window that may stand at the same places.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace gannet::query {

/// For each word the first one with which it shares a term, directly or through others, or itself.
/// terms[i]: the numbers of the terms that word i may be. O(terms).
std::vector<std::uint8_t> window_groups(std::span<const std::vector<std::uint32_t>> terms);

}  // namespace gannet::query
