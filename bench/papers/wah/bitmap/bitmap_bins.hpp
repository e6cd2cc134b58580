// Bins of a bitmap index: how an attribute's values are cut into ranges, one bit vector each.
// Source: Tran et al., "Increasing the Efficiency of GPU Bitmap Index Query Processing", section 2;
// k-means in one dimension is Lloyd's algorithm (their reference 16).
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

namespace gannet::wah {

/// A value of any integer type as an unsigned 64-bit number in the same order.
using BinKey = std::uint64_t;

/// The key of a value; differences of keys are differences of values.
template <std::integral T>
constexpr BinKey bin_key(T value) {
  return static_cast<BinKey>(value) - static_cast<BinKey>(std::numeric_limits<T>::min());
}

/// The keys of a column. (A type of its own only so that columns of all types meet in one form.)
template <std::integral T>
std::vector<BinKey> bin_keys(std::span<const T> values) {
  std::vector<BinKey> keys(values.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = bin_key(values[i]);
  return keys;
}

/// How values are cut into bins.
enum class Binning {
  kEqualWidth,  ///< the range from the smallest to the largest value in equal parts
  kEqualDepth,  ///< as many rows in every bin, as far as equal values allow (they stay together)
  kKMeans,      ///< Lloyd's algorithm, begun at the equal-depth bins
};

/// One bin: the values from its `first` to the one before the next bin's belong to it.
struct Bin {
  BinKey first = {};     ///< 0 for the first bin
  BinKey smallest = {};  ///< of the values that it was made from
  BinKey largest = {};
};

/// The bins of one attribute: ascending, without gaps, none of them empty (for the values that they
/// were made from). Between them they take every key. Immutable; thread-safe.
class Bins {
 public:
  /// From bins in ascending order. Throws UsageError if they are not, or if there are none.
  explicit Bins(std::vector<Bin> bins);

  std::uint32_t size() const { return static_cast<std::uint32_t>(bins_.size()); }
  const Bin& operator[](std::uint32_t i) const { return bins_[i]; }

  /// The bin that `key` belongs to.
  std::uint32_t bin_of(BinKey key) const;

  /// The bins of a column, row by row.
  std::vector<std::uint32_t> assign(std::span<const BinKey> keys) const;

  /// These bins, with `smallest` and `largest` widened so far that they hold for `keys` too: for a
  /// column that the bins were not made from. `bin_of_row` is assign(keys).
  Bins widened(std::span<const BinKey> keys, std::span<const std::uint32_t> bin_of_row) const;

 private:
  std::vector<Bin> bins_;
};

/// Rounds that Lloyd's algorithm takes at most, unless told otherwise.
inline constexpr std::uint32_t kLloydRounds = 1000;

/// Cuts a column (1 row or more) into at most `count` bins (1 .. 2^20). There are fewer where
/// values are equal, or where equal parts are empty. The same input gives the same bins everywhere:
/// all sums are exact. k-means ends when no value changes its bin, at the latest after `rounds`
/// rounds. Throws UsageError for an empty column and for a wrong count.
Bins make_bins(std::span<const BinKey> keys, Binning binning, std::uint32_t count,
               std::uint32_t rounds = kLloydRounds);

/// A bin for every distinct value of the column. Throws UsageError if there are more than 2^20.
Bins distinct_bins(std::span<const BinKey> keys);

}  // namespace gannet::wah
