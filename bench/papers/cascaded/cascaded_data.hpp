// Columns for bench_cuda_cascaded: the data sets on which nvCOMP's cascaded compression was
// measured.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "codecs/cascaded/format.hpp"
#include "corpora/synthetic/random.hpp"

namespace gannet::bench {

using Column = std::vector<std::int32_t>;

/// 1, 2, 3, ...
inline Column ascending_column(std::size_t count) {
  Column values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::int32_t>(i + 1);
  return values;
}

/// Sorted draws from count / 256 numbers: 2^20 distinct ones in 2^28.
inline Column repeated_column(std::size_t count) {
  corpora::Random random(1);
  Column values;
  values.reserve(count + 512);
  for (std::int32_t value = 0; values.size() < count; ++value) {
    // How often a number is drawn: binomial, mean 256, standard deviation 16, near enough the sum
    // of 512 tosses of a coin, times sqrt(2) around the mean.
    int heads = 0;
    for (int i = 0; i < 8; ++i) heads += std::popcount(random.next());
    const int times = 256 + (heads - 256) * 7 / 5;
    values.insert(values.end(), static_cast<std::size_t>(times), value);
  }
  values.resize(count);
  return values;
}

/// Calls line(order) for every line of orders of 1 to 7 lines, `count` lines in all.
template <class Line>
void for_lines(std::size_t count, std::uint64_t seed, const Line& line) {
  corpora::Random random(seed);
  std::size_t lines = 0;
  for (std::uint32_t order = 0; lines < count; ++order) {
    const std::size_t end = std::min<std::size_t>(count, lines + 1 + random.below(7));
    for (; lines < end; ++lines) line(order);
  }
}

/// lo_orderkey of the Star Schema Benchmark: eight of every 32 keys are used.
inline Column order_key_column(std::size_t count) {
  Column values;
  values.reserve(count);
  for_lines(count, 2, [&](std::uint32_t order) {
    values.push_back(static_cast<std::int32_t>(order / 8 * 32 + order % 8 + 1));
  });
  return values;
}

/// lo_orderdate: one of 2,406 days from 1992-01-01 on, as YYYYMMDD, for each order.
inline Column order_date_column(std::size_t count) {
  std::vector<std::int32_t> days;
  for (std::int32_t year = 1992; days.size() < 2406; ++year) {
    for (std::int32_t month = 1; month <= 12; ++month) {
      const bool leap = year % 4 == 0;
      const std::int32_t length = month == 2 ? (leap ? 29 : 28)
                                  : month == 4 || month == 6 || month == 9 || month == 11 ? 30
                                                                                          : 31;
      for (std::int32_t day = 1; day <= length; ++day) {
        days.push_back(year * 10000 + month * 100 + day);
      }
    }
  }
  days.resize(2406);
  Column values;
  values.reserve(count);
  for_lines(count, 2, [&](std::uint32_t order) {
    values.push_back(days[corpora::mix64(order) % days.size()]);
  });
  return values;
}

/// Sorted ids, each number taken with probability 1/4.
inline Column sorted_id_column(std::size_t count) {
  corpora::Random random(3);
  Column values(count);
  std::uint64_t bits = 0;
  int left = 0;
  std::int32_t id = -1;
  for (auto& value : values) {
    bool taken = false;
    while (!taken) {
      if (left == 0) {
        bits = random.next();
        left = 32;
      }
      taken = bits % 4 == 0;
      bits >>= 2;
      --left;
      ++id;
    }
    value = id;
  }
  return values;
}

/// A data set, a plan, and what nvCOMP 2.2 reaches with it on 2^28 values on an H200.
struct CascadedCase {
  std::string name;
  std::function<Column(std::size_t)> make;
  codecs::CascadedPlan plan;
  double peer_bits;   ///< a value
  double peer_speed;  ///< GB/s of output
};

inline std::vector<CascadedCase> cascaded_cases() {
  return {
      {"1..n", ascending_column, {0, 1, 1, 1024}, 0.17, 1170},
      {"2^20 distinct, sorted", repeated_column, {1, 0, 1, 1024}, 0.26, 775},
      {"orderkey", order_key_column, {1, 0, 1, 1024}, 3.66, 1043},
      {"orderkey, deeper", order_key_column, {2, 1, 1, 1024}, 1.64, 752},
      {"orderdate", order_date_column, {1, 0, 1, 1024}, 5.03, 1028},
      {"sorted ids, mean gap 4", sorted_id_column, {0, 1, 1, 1024}, 5.27, 889},
  };
}

}  // namespace gannet::bench
