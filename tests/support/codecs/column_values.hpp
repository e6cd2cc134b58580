// Distributions of values of every type that columns have.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "codecs/cascaded/stream.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {

using AllValueTypes = ::testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t,
                                       std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;

template <class T>
struct TypedDistribution {
  std::string name;
  std::function<std::vector<T>(std::uint32_t count)> make;
};

/// Runs of random values below 2^bits, of random lengths from 1 to `longest`.
template <class T>
std::vector<T> random_runs(std::uint32_t count, std::uint32_t longest, std::uint32_t bits,
                           std::uint32_t seed = 4) {
  Random random(seed);
  std::vector<T> values;
  while (values.size() < count) {
    const auto value = static_cast<T>(random64(random) & codecs::low_mask64(bits));
    values.insert(values.end(),
                  std::min<std::size_t>(1 + random() % longest, count - values.size()), value);
  }
  return values;
}

/// Sums of steps that are uniform in [0, 2^bits), modulo the type.
template <class T>
std::vector<T> random_walk(std::uint32_t count, std::uint32_t bits, std::uint64_t start) {
  Random random(bits);
  std::vector<T> values(count);
  std::uint64_t at = start;
  for (auto& value : values) {
    value = static_cast<T>(at);
    at += random64(random) & codecs::low_mask64(bits);
  }
  return values;
}

/// Groups of equal values whose differences come in runs too: what two layers are for.
template <class T>
std::vector<T> order_keys(std::uint32_t count) {
  Random random(9);
  std::vector<T> values;
  std::uint64_t key = 1;
  while (values.size() < count) {
    values.insert(values.end(), std::min<std::size_t>(1 + random() % 7, count - values.size()),
                  static_cast<T>(key));
    key += key % 8 == 7 ? 25 : 1;
  }
  return values;
}

template <class T>
std::vector<TypedDistribution<T>> typed_distributions() {
  using Limits = std::numeric_limits<T>;
  constexpr std::uint32_t kBits = 8 * sizeof(T);
  const auto constant = [](T value) {
    return [value](std::uint32_t n) { return std::vector<T>(n, value); };
  };
  return {
      {"zeros", constant(0)},
      {"largest", constant(Limits::max())},
      {"smallest", constant(Limits::min())},
      {"ascending",
       [](std::uint32_t n) {
         std::vector<T> values(n);
         for (std::uint32_t i = 0; i < n; ++i) values[i] = static_cast<T>(i + 1);
         return values;
       }},
      {"smallest and largest in turn",
       [](std::uint32_t n) {
         std::vector<T> values(n);
         for (std::uint32_t i = 0; i < n; ++i) values[i] = i % 2 ? Limits::max() : Limits::min();
         return values;
       }},
      {"any", [](std::uint32_t n) { return random_runs<T>(n, 1, 64); }},
      {"few bits", [](std::uint32_t n) { return random_runs<T>(n, 1, 3); }},
      {"half the bits", [](std::uint32_t n) { return random_runs<T>(n, 1, kBits / 2 + 1); }},
      {"short runs", [](std::uint32_t n) { return random_runs<T>(n, 4, 64); }},
      {"long runs", [](std::uint32_t n) { return random_runs<T>(n, 3000, 64); }},
      {"slow walk", [](std::uint32_t n) { return random_walk<T>(n, 3, 1ull << (kBits - 1)); }},
      {"fast walk", [](std::uint32_t n) { return random_walk<T>(n, 17, 0); }},
      {"order keys", [](std::uint32_t n) { return order_keys<T>(n); }},
  };
}

}  // namespace gannet::test
