// Query flight 1 of the star schema: sum(lo_extendedprice * lo_discount) over the rows whose order
// date, discount and quantity lie in ranges.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "bench/ssb/ssb.hpp"

namespace gannet::bench {

/// [least, most].
struct Range {
  std::uint32_t least;
  std::uint32_t most;
#if defined(__CUDACC__)
  __host__ __device__
#endif
      bool
      has(std::uint32_t value) const {
    return value - least <= most - least;
  }
};

/// What a query of the flight asks of the columns, its join with the date dimension resolved to a
/// range of keys.
struct Flight1Ranges {
  Range date;
  Range discount;
  Range quantity;
};

struct Flight1 {
  std::string name;
  Flight1Ranges ranges;
};

/// The keys of the days that `wanted` accepts; they must be consecutive days.
inline Range date_range(const std::function<bool(const SsbDate&)>& wanted) {
  Range range{0, 0};
  bool ended = false;
  for (const SsbDate& date : ssb_dates()) {
    const bool is_wanted = wanted(date);
    if (is_wanted && ended) throw std::logic_error("the days of a query are not consecutive");
    if (is_wanted && range.least == 0) range.least = date.key;
    if (is_wanted) range.most = date.key;
    ended = range.least != 0 && !is_wanted;
  }
  return range;
}

/// q1.1, q1.2, q1.3 as the specification has them.
inline std::vector<Flight1> flight1() {
  const Range of_year = date_range([](const SsbDate& date) { return date.year == 1993; });
  const Range of_month = date_range([](const SsbDate& date) { return date.month == 199401; });
  const Range of_week =
      date_range([](const SsbDate& date) { return date.year == 1994 && date.week == 6; });
  return {{"q1.1", {of_year, {1, 3}, {0, 24}}},
          {"q1.2", {of_month, {4, 6}, {26, 35}}},
          {"q1.3", {of_week, {5, 7}, {26, 35}}}};
}

/// The columns of the flight.
struct Flight1Columns {
  const std::vector<std::uint32_t>& date;
  const std::vector<std::uint32_t>& quantity;
  const std::vector<std::uint32_t>& discount;
  const std::vector<std::uint32_t>& price;
};

/// The answer, computed on all processors.
inline std::uint64_t answer_on_host(const Flight1Ranges& query, const Flight1Columns& columns) {
  const std::size_t rows = columns.date.size();
  const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
  std::vector<std::uint64_t> sums(threads);
  std::vector<std::jthread> workers;
  for (std::size_t t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      std::uint64_t sum = 0;
      for (std::size_t i = rows * t / threads; i < rows * (t + 1) / threads; ++i) {
        const bool wanted = query.date.has(columns.date[i]) &&
                            query.discount.has(columns.discount[i]) &&
                            query.quantity.has(columns.quantity[i]);
        if (wanted) sum += std::uint64_t{columns.price[i]} * columns.discount[i];
      }
      sums[t] = sum;
    });
  }
  workers.clear();
  std::uint64_t total = 0;
  for (const std::uint64_t sum : sums) total += sum;
  return total;
}

}  // namespace gannet::bench
