// Bins of a bitmap index: the ranges that the values of an attribute are cut into. Each bin has one
// bit vector. Source: Tran et al., "Increasing the Efficiency of GPU Bitmap Index Query
// Processing", section 2; for k-means in one dimension Lloyd's algorithm (reference 16 of the
// paper). All functions are thread-safe.
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

namespace gannet::wah {

/// A value of any integer type as an unsigned 64-bit number. Keys are ordered as the values are.
using BinKey = std::uint64_t;

/// The key of a value: the value minus the smallest value of the type.
template <std::integral T>
constexpr BinKey bin_key(T value) {
  return static_cast<BinKey>(value) - static_cast<BinKey>(std::numeric_limits<T>::min());
}

/// The keys of a column: 8 bytes a value, whatever the type, so that bins and indexes need no
/// template for each type.
template <std::integral T>
std::vector<BinKey> bin_keys(std::span<const T> values) {
  std::vector<BinKey> keys(values.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = bin_key(values[i]);
  return keys;
}

/// How make_bins() cuts values into bins.
enum class Binning {
  kEqualWidth,  ///< the range from the smallest to the largest value, in parts of equal width
  kEqualDepth,  ///< parts with equal numbers of rows, as far as rows of equal values allow
  kKMeans,      ///< Lloyd's algorithm, starting from the bins of kEqualDepth
};

/// One bin: it has the keys from its `first` up to, but without, the `first` of the next bin.
struct Bin {
  BinKey first = {};     ///< 0 for the first bin
  BinKey smallest = {};  ///< smallest key in the column that the bin was made from
  BinKey largest = {};   ///< largest key in that column
};

/// The bins of one attribute, in ascending order. Every key belongs to exactly one bin. Every bin
/// has at least one key of the column that the bins were made from. Immutable and thread-safe.
class Bins {
 public:
  /// Throws UsageError if there are no bins, if the first bin does not have `first` 0, and unless
  /// first <= smallest <= largest < `first` of the next bin holds for each bin.
  explicit Bins(std::vector<Bin> bins);

  std::uint32_t size() const { return static_cast<std::uint32_t>(bins_.size()); }
  const Bin& operator[](std::uint32_t i) const { return bins_[i]; }

  /// The number of the bin that `key` belongs to, in O(log size()) time.
  std::uint32_t bin_of(BinKey key) const;

  /// The number of the bin of each row of a column.
  std::vector<std::uint32_t> assign(std::span<const BinKey> keys) const;

  /// A copy of the bins in which `smallest` and `largest` hold for `keys` too: for a column that
  /// the bins were not made from. `bin_of_row` must be assign(keys).
  Bins widened(std::span<const BinKey> keys, std::span<const std::uint32_t> bin_of_row) const;

 private:
  std::vector<Bin> bins_;
};

/// The default limit of rounds of Lloyd's algorithm.
inline constexpr std::uint32_t kLloydRounds = 1000;

/// Cuts a column (1 row or more) into at most `count` bins (1 .. 2^20). There are fewer bins if
/// there are fewer distinct values, or if a part of equal width or depth has no value. The result
/// is deterministic on every machine: it is computed with integers. Lloyd's algorithm ends when no
/// value changes its bin, or after `rounds` rounds. Sorts a copy of the keys: O(n log n) time and
/// O(n) memory for n rows. A round of Lloyd's algorithm takes O(count log n)
/// time. Throws UsageError for an empty column, and for a `count` out of range.
Bins make_bins(std::span<const BinKey> keys, Binning binning, std::uint32_t count,
               std::uint32_t rounds = kLloydRounds);

/// One bin for each distinct value of the column, in O(n log n) time for n rows. Throws UsageError
/// for an empty column, and if there are more than 2^20 distinct values.
Bins distinct_bins(std::span<const BinKey> keys);

}  // namespace gannet::wah
