// The fact table of the Star Schema Benchmark, and the date dimension, at any scale.
// Source: O'Neil, O'Neil, Chen, "Star Schema Benchmark", revision 3, 2009; where it refers to
// TPC-H, the TPC-H specification, clause 4.2.3. Ours: which random numbers are drawn, and that the
// lines of an order are drawn so that any row can be made on its own.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace gannet::bench {

/// The columns of lineorder, without lo_shippriority, which is the same in all rows. Amounts are in
/// cents, dates are yyyymmdd, texts are codes from 0 in the order of the specification's lists.
enum class SsbColumn : std::uint32_t {
  kOrderkey,       ///< ascending; the first 8 of every 32 keys
  kLinenumber,     ///< 1 .. 7, ascending within an order
  kCustkey,        ///< 1 .. customers(), the same for all lines of an order
  kPartkey,        ///< 1 .. parts()
  kSuppkey,        ///< 1 .. suppliers()
  kOrderdate,      ///< the same for all lines of an order
  kOrdpriority,    ///< 0 .. 4, the same for all lines of an order
  kQuantity,       ///< 1 .. 50
  kExtendedprice,  ///< quantity * the part's price
  kOrdtotalprice,  ///< the same for all lines of an order: the sum of their prices, less discount,
                   ///< with tax
  kDiscount,       ///< 0 .. 10, per cent
  kRevenue,        ///< extendedprice * (100 - discount) / 100
  kSupplycost,     ///< six tenths of the part's price
  kTax,            ///< 0 .. 8, per cent
  kCommitdate,     ///< 30 .. 90 days after the order
  kShipmode,       ///< 0 .. 6
};
inline constexpr std::uint32_t kSsbColumns = 16;

/// "lo_orderkey", ...
std::string_view name_of(SsbColumn column);

/// A day of the date dimension: what query flight 1 asks of it.
struct SsbDate {
  std::uint32_t key;    ///< yyyymmdd
  std::uint32_t year;   ///< yyyy
  std::uint32_t month;  ///< yyyymm
  std::uint32_t week;   ///< of the year, 1 .. 53: day of the year / 7 + 1
};

/// The date dimension: every day of 1992 to 1998, ascending.
const std::vector<SsbDate>& ssb_dates();

/// Where the columns of a range of rows go: places for all its rows, or null for a column that is
/// not wanted.
using SsbRows = std::array<std::uint32_t*, kSsbColumns>;

/// Makes lineorder. Every row is a function of (scale, seed, row): ranges may be made in parallel,
/// in any order. Immutable; thread-safe.
class SsbLineorder {
 public:
  /// The table at `scale` (0 < scale <= 300: 6,000,000 rows for each 1). Throws UsageError for a
  /// scale outside.
  explicit SsbLineorder(double scale, std::uint64_t seed = 1);

  std::uint64_t rows() const { return rows_; }
  std::uint32_t customers() const { return customers_; }
  std::uint32_t parts() const { return parts_; }
  std::uint32_t suppliers() const { return suppliers_; }

  /// Makes rows [first, first + count) (<= rows()); row first + i goes to place i.
  void make(std::uint64_t first, std::uint64_t count, const SsbRows& rows) const;

  /// A whole column, made by all processors.
  std::vector<std::uint32_t> column(SsbColumn which) const;

  /// The given columns (each at most once), made together by all processors.
  std::vector<std::vector<std::uint32_t>> columns(std::span<const SsbColumn> which) const;

 private:
  struct Line;
  struct Order;
  Order order(std::uint64_t number, std::uint32_t lines) const;
  Line line(std::uint64_t order, std::uint32_t number) const;
  /// Lines [first, end) of an order go to `place` and what follows.
  static void store(const Order& order, std::uint32_t first, std::uint32_t end, std::uint64_t place,
                    const SsbRows& rows);

  std::uint64_t seed_;
  std::uint64_t rows_;
  std::uint32_t customers_;
  std::uint32_t parts_;
  std::uint32_t suppliers_;
};

}  // namespace gannet::bench
