// Counts of a field's values in several segments, added up by value.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "query/backend/number_count.hpp"
#include "query/columns/access/workers.hpp"

namespace gannet::query {

/// A value with how often it occurs.
struct ValueCount {
  std::string text;
  std::uint64_t key = 0;  ///< of other types than keywords
  std::uint64_t count = 0;

  /// The larger count first; of values that occur alike, the smaller one.
  bool before(const ValueCount& other) const;
};

/// The n values whose counts add up to the most, none below `least`, in their order. `counts`: by
/// segment, codes of field `field` ascending. Goes through all of them once, in the order of the
/// values, each worker through a part of these: the time is in proportion to how many they are.
/// Throws CancelledError.
std::vector<ValueCount> largest_sums(const ColumnContext& context, std::size_t field,
                                     std::span<const std::vector<NumberCount>> counts,
                                     std::size_t n, std::uint64_t least);

/// How many different values they have, in the same way.
std::uint64_t count_values(const ColumnContext& context, std::size_t field,
                           std::span<const std::vector<NumberCount>> counts);

}  // namespace gannet::query
