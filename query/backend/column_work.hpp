// What a back end may find out by itself of the columns of all documents that match a plan.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "query/backend/number_count.hpp"
#include "query/filter/document_bitmap.hpp"
#include "query/results/host_columns.hpp"

namespace gannet::query {

/// How often the codes of a field occur; a document counts once for each of its codes.
struct CountsWanted {
  static constexpr std::uint32_t kAll = 0xffffffffu;
  std::size_t field = 0;
  /// The largest number of codes that are asked for: those that occur most often, of equal ones the
  /// smaller code. 0: only how many different ones there are.
  std::uint32_t codes = kAll;
};

/// How many documents have a value in each bin; a document counts once in a bin.
struct BinsWanted {
  std::size_t field = 0;
  std::size_t request = 0;  ///< ColumnQuery::histograms has it
  /// Bin i has the keys from first_keys[i] to below first_keys[i + 1], the last bin all further
  /// ones. Ascending; first_keys[0] is not above any key of the field. Of equal ones, all bins but
  /// the last have no keys.
  std::vector<std::uint64_t> first_keys = {};
};

/// A key of an order of documents: the least value of a field first, or the greatest.
struct OrderKey {
  std::size_t field = 0;
  bool descending = false;
  bool missing_first = false;  ///< documents without the field come first; else last
};
inline constexpr std::size_t kMaxOrderKeys = 4;

/// The documents that come first by the first key, then by the next ones, then by their docids.
struct FirstWanted {
  std::vector<OrderKey> keys = {};  ///< 1 to kMaxOrderKeys
  std::uint32_t k = 0;
};

struct ColumnWork {
  std::vector<CountsWanted> counted = {};
  /// Numbers of fields whose codes are added up.
  std::vector<std::size_t> totals = {};
  std::vector<BinsWanted> binned = {};
  std::optional<FirstWanted> first = {};
  /// The matches themselves are wanted, for these reasons.
  bool matches = false;
  ColumnReasons reasons = {};
};

/// A document of a segment with the codes that it is ordered by.
struct FirstDocument {
  static constexpr std::uint64_t kMissing = ~std::uint64_t{0};  ///< for a document without a value
  std::uint32_t document = 0;
  std::array<std::uint64_t, kMaxOrderKeys> codes = {};  ///< by key
};

struct CodeCounts {
  /// Ascending codes. All that occur, or at least those that CountsWanted asks for.
  std::vector<NumberCount> counts = {};
  std::uint64_t missing = 0;   ///< matches without a value in the field
  std::uint64_t total = 0;     ///< the sum of the counts of all codes
  std::uint64_t distinct = 0;  ///< codes that occur
};

/// Bins with documents, ascending.
struct BinCounts {
  std::vector<NumberCount> counts = {};
  std::uint64_t missing = 0;  ///< matches without a value in the field
};

/// A part of a sum of numbers with a binary exponent: number * 2^exponent.
struct ScaledNumber {
  std::int64_t number = 0;
  int exponent = 0;
};

/// All values of the matches, repetitions included.
struct CodeTotals {
  std::uint64_t missing = 0;  ///< matches without a value in the field
  std::uint64_t values = 0;
  std::uint64_t sum = 0;       ///< of codes, which have 32 bits at most: it does not overflow
  std::uint64_t least = 0;     ///< code; only if there are values
  std::uint64_t greatest = 0;  ///< code; only if there are values
  /// Of a field of floating-point numbers: parts whose sum is that of the values, exactly.
  std::vector<ScaledNumber> floats = {};
};

/// Of one segment.
struct SegmentFindings {
  std::uint64_t count = 0;  ///< documents that match
  /// As ColumnWork::counted, totals and binned; nothing where it is not known.
  std::vector<std::optional<CodeCounts>> counted = {};
  std::vector<std::optional<CodeTotals>> totals = {};
  std::vector<std::optional<BinCounts>> binned = {};
  /// The k first, or all if they are fewer, in their order; nothing if it is not known.
  std::optional<std::vector<FirstDocument>> first = {};
  /// The matches, if they are wanted, or anything is not known; then those of all segments.
  DocumentBitmap matches = {};
  /// Why something is not known.
  ColumnReasons reasons = {};
};
using ColumnFindings = std::vector<SegmentFindings>;

}  // namespace gannet::query
