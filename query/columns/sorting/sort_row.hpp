// A document as it is sorted: what comes first in each key is the smaller number.
#pragma once

#include <array>
#include <cstdint>

#include "query/columns/column_query.hpp"

namespace gannet::query {

/// The part of one sort key. Documents without the field come before (kMissingFirst) or behind
/// those that have it.
struct SortPart {
  static constexpr std::uint8_t kMissingFirst = 0;
  static constexpr std::uint8_t kValue = 1;
  static constexpr std::uint8_t kMissingLast = 2;

  std::uint8_t rank = kValue;
  /// Of values: the key, or the code of a keyword, inverted if the largest comes first.
  std::uint64_t value = 0;

  // clang-tidy 14 takes the 0 that the compiler compares with for a pointer.
  auto operator<=>(const SortPart&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct SortRow {
  std::array<SortPart, kMaxSortKeys> parts = {};  ///< of keys that there are not: all alike
  std::uint32_t segment = 0;
  std::uint32_t document = 0;

  /// A smaller row is a better hit: first the keys decide, then the docid.
  auto operator<=>(const SortRow&) const = default;  // NOLINT(modernize-use-nullptr)
};

}  // namespace gannet::query
