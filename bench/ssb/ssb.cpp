#include "bench/ssb/ssb.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>

#include "codecs/base/error.hpp"
#include "corpora/synthetic/random.hpp"

namespace gannet::bench {
namespace {

using corpora::mix64;

constexpr std::array<std::string_view, kSsbColumns> kNames = {
    "lo_orderkey",      "lo_linenumber",    "lo_custkey",     "lo_partkey",
    "lo_suppkey",       "lo_orderdate",     "lo_ordpriority", "lo_quantity",
    "lo_extendedprice", "lo_ordtotalprice", "lo_discount",    "lo_revenue",
    "lo_supplycost",    "lo_tax",           "lo_commitdate",  "lo_shipmode"};

/// Seven orders have 1, 2, ... 7 lines in some order: 28 rows. So the first row of any order is
/// known, and an order's number of lines is uniform in 1 .. 7, as specified.
constexpr std::uint32_t kGroupOrders = 7;
constexpr std::uint32_t kGroupRows = 28;

/// The last order is placed this many days before the last day of the date dimension.
constexpr std::uint32_t kDaysAfterLastOrder = 151;

/// Random numbers of one order or line: a stream that depends on nothing but its key.
class Stream {
 public:
  explicit Stream(std::uint64_t key) : state_(key) {}
  /// Uniform in [least, most].
  std::uint32_t draw(std::uint32_t least, std::uint32_t most) {
    state_ = mix64(state_);
    const std::uint64_t range = std::uint64_t{most} - least + 1;
    return least + static_cast<std::uint32_t>((state_ >> 32) * range >> 32);
  }

 private:
  std::uint64_t state_;
};

std::array<std::uint32_t, kGroupOrders> lines_of_group(std::uint64_t seed, std::uint64_t group) {
  std::array<std::uint32_t, kGroupOrders> lines = {1, 2, 3, 4, 5, 6, 7};
  Stream stream(mix64(seed ^ mix64(3 * group)));
  for (std::uint32_t i = kGroupOrders - 1; i > 0; --i) {
    std::swap(lines[i], lines[stream.draw(0, i)]);
  }
  return lines;
}

/// The first 8 of every 32 keys are used (TPC-H, clause 4.2.3).
std::uint32_t orderkey(std::uint64_t order) {
  return static_cast<std::uint32_t>(order / 8 * 32 + order % 8 + 1);
}

/// P_RETAILPRICE of TPC-H, in cents.
std::uint32_t price_of(std::uint32_t part) {
  return 90000 + part / 10 % 20001 + 100 * (part % 1000);
}

std::uint32_t scaled(double scale, double rows_each) {
  return std::max(1u, static_cast<std::uint32_t>(scale * rows_each));
}

/// part has 200,000 * floor(1 + log2(scale)) rows; below scale 1, in proportion.
std::uint32_t part_rows(double scale) {
  if (scale < 1) return scaled(scale, 200000);
  return 200000 * static_cast<std::uint32_t>(1 + std::floor(std::log2(scale)));
}

std::vector<SsbDate> make_dates() {
  namespace chrono = std::chrono;
  const chrono::sys_days first = chrono::year{1992} / 1 / 1;
  const chrono::sys_days end = chrono::year{1999} / 1 / 1;
  std::vector<SsbDate> dates;
  for (chrono::sys_days day = first; day < end; day += chrono::days{1}) {
    const chrono::year_month_day date{day};
    const auto year = static_cast<std::uint32_t>(static_cast<int>(date.year()));
    const std::uint32_t month = year * 100 + static_cast<unsigned>(date.month());
    const auto of_year = static_cast<std::uint32_t>(
        (day - chrono::sys_days{date.year() / chrono::January / 1}).count() + 1);
    dates.push_back(
        {month * 100 + static_cast<unsigned>(date.day()), year, month, of_year / 7 + 1});
  }
  return dates;
}

}  // namespace

std::string_view name_of(SsbColumn column) { return kNames[static_cast<std::uint32_t>(column)]; }

const std::vector<SsbDate>& ssb_dates() {
  static const std::vector<SsbDate> dates = make_dates();
  return dates;
}

struct SsbLineorder::Line {
  std::uint32_t partkey, suppkey, quantity, extendedprice, discount, revenue, supplycost, tax;
  std::uint32_t shipmode, commit_days;
};

struct SsbLineorder::Order {
  std::uint32_t orderkey, custkey, day, ordpriority, ordtotalprice;
  std::uint32_t lines;
  std::array<Line, kGroupOrders> line;

  /// All columns of line `i`, in the order of SsbColumn.
  std::array<std::uint32_t, kSsbColumns> row(std::uint32_t i) const {
    const Line& its = line[i];
    const std::uint32_t date = ssb_dates()[day].key;
    const std::uint32_t commit = ssb_dates()[day + its.commit_days].key;
    return {orderkey,          i + 1,         custkey,      its.partkey,
            its.suppkey,       date,          ordpriority,  its.quantity,
            its.extendedprice, ordtotalprice, its.discount, its.revenue,
            its.supplycost,    its.tax,       commit,       its.shipmode};
  }
};

SsbLineorder::SsbLineorder(double scale, std::uint64_t seed) : seed_(mix64(seed)) {
  if (!(scale > 0 && scale <= 300)) {
    throw UsageError("the scale of the star schema is more than 0 and at most 300, not " +
                     std::to_string(scale));
  }
  rows_ = static_cast<std::uint64_t>(scale * 6'000'000);
  customers_ = scaled(scale, 30000);
  suppliers_ = scaled(scale, 2000);
  parts_ = part_rows(scale);
}

SsbLineorder::Line SsbLineorder::line(std::uint64_t order, std::uint32_t number) const {
  Stream stream(mix64(seed_ ^ mix64(3 * (8 * order + number) + 1)));
  Line line;
  line.partkey = stream.draw(1, parts_);
  line.suppkey = stream.draw(1, suppliers_);
  line.quantity = stream.draw(1, 50);
  line.discount = stream.draw(0, 10);
  line.tax = stream.draw(0, 8);
  line.shipmode = stream.draw(0, 6);
  line.commit_days = stream.draw(30, 90);
  const std::uint32_t price = price_of(line.partkey);
  line.extendedprice = line.quantity * price;
  line.supplycost = 6 * price / 10;
  line.revenue =
      static_cast<std::uint32_t>(std::uint64_t{line.extendedprice} * (100 - line.discount) / 100);
  return line;
}

SsbLineorder::Order SsbLineorder::order(std::uint64_t number, std::uint32_t lines) const {
  Stream stream(mix64(seed_ ^ mix64(3 * number + 2)));
  Order order;
  order.orderkey = orderkey(number);
  order.custkey = stream.draw(1, customers_);
  const auto days = static_cast<std::uint32_t>(ssb_dates().size());
  order.day = stream.draw(0, days - 1 - kDaysAfterLastOrder);
  order.ordpriority = stream.draw(0, 4);
  order.ordtotalprice = 0;
  order.lines = lines;
  for (std::uint32_t i = 0; i < lines; ++i) {
    const Line& each = order.line[i] = line(number, i);
    order.ordtotalprice +=
        static_cast<std::uint32_t>(std::uint64_t{each.revenue} * (100 + each.tax) / 100);
  }
  return order;
}

void SsbLineorder::make(std::uint64_t first, std::uint64_t count, const SsbRows& rows) const {
  const std::uint64_t end = first + count;
  for (std::uint64_t group = first / kGroupRows; group * kGroupRows < end; ++group) {
    const auto lines = lines_of_group(seed_, group);
    std::uint64_t row = group * kGroupRows;
    for (std::uint32_t i = 0; i < kGroupOrders; row += lines[i++]) {
      if (row + lines[i] <= first || row >= end) continue;
      const Order made = order(group * kGroupOrders + i, lines[i]);
      const std::uint64_t begin = std::max(row, first);
      store(made, static_cast<std::uint32_t>(begin - row),
            static_cast<std::uint32_t>(std::min(row + lines[i], end) - row), begin - first, rows);
    }
  }
}

void SsbLineorder::store(const Order& order, std::uint32_t first, std::uint32_t end,
                         std::uint64_t place, const SsbRows& rows) {
  for (std::uint32_t i = first; i < end; ++i, ++place) {
    const auto values = order.row(i);
    for (std::uint32_t c = 0; c < kSsbColumns; ++c) {
      if (rows[c] != nullptr) rows[c][place] = values[c];
    }
  }
}

std::vector<std::uint32_t> SsbLineorder::column(SsbColumn which) const {
  return std::move(columns(std::span(&which, 1)).front());
}

std::vector<std::vector<std::uint32_t>> SsbLineorder::columns(
    std::span<const SsbColumn> which) const {
  constexpr std::uint64_t kStep = 1 << 18;
  std::vector<std::vector<std::uint32_t>> result(which.size());
  for (auto& column : result) column.resize(rows_);
  std::atomic<std::uint64_t> next = 0;
  const auto work = [&] {
    for (std::uint64_t first = next.fetch_add(kStep); first < rows_;
         first = next.fetch_add(kStep)) {
      SsbRows rows{};
      for (std::size_t i = 0; i < which.size(); ++i) {
        rows[static_cast<std::uint32_t>(which[i])] = result[i].data() + first;
      }
      make(first, std::min(kStep, rows_ - first), rows);
    }
  };
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i) {
    threads.emplace_back(work);
  }
  work();
  threads.clear();
  return result;
}

}  // namespace gannet::bench
