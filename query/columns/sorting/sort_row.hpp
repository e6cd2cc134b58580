// A document as it is sorted: what comes first in each key is the smaller number.
#pragma once

#include <array>
#include <cstddef>
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

/// Which rows of one segment come behind a hit.
class RowBound {
 public:
  /// `row`: of the hit, comparable with rows of the segment in the first `equal` parts. The segment
  /// has no row that is equal to it in all of these parts and in the next one, if there is one: a
  /// row that is equal in the first ones is behind the hit if its next part is `row`'s or more.
  RowBound(const SortRow& row, std::size_t equal) : row_(row), equal_(equal) {}

  bool behind(const SortRow& row) const {
    for (std::size_t i = 0; i < equal_; ++i) {
      if (row.parts[i] != row_.parts[i]) return row.parts[i] > row_.parts[i];
    }
    if (equal_ < kMaxSortKeys) return row.parts[equal_] >= row_.parts[equal_];
    return row > row_;
  }

 private:
  SortRow row_;
  std::size_t equal_;
};

}  // namespace gannet::query
