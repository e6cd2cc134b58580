// A batch in parts of few filters.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "query/plan/filter.hpp"

namespace gannet::query {

/// The filter of a plan, by its number; null if it has none.
using FilterOf = std::function<const Filter*(std::size_t plan)>;

/// Cuts plans into parts with at most `most` (>= 1) different filters each: all in one, in their
/// order, if they have no more together; else those with equal filters are in one part.
std::vector<std::vector<std::size_t>> parts_by_filter(std::span<const std::size_t> plans,
                                                      const FilterOf& filter_of, std::size_t most);

}  // namespace gannet::query
