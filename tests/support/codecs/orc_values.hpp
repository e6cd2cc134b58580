// Columns with the structures that ORC's integer encodings tell apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/random.hpp"

namespace gannet::test {

/// Run structures, by name. A column keeps the low bits of the numbers.
inline const std::vector<std::string> kRunStructures{
    "constant",  "short runs", "long runs",     "literals",   "mixed",
    "rising",    "falling",    "one step",      "outliers",   "wide outliers",
    "any width", "extremes",   "pairs of runs", "alternating"};

/// `count` numbers of a structure. Deterministic.
inline std::vector<std::uint64_t> numbers_in(const std::string& structure, std::size_t count,
                                             std::uint32_t seed = 1) {
  Random random(seed);
  const auto wide = [&] { return std::uint64_t{random()} << 32 | random(); };
  std::vector<std::uint64_t> numbers;
  numbers.reserve(count);
  std::uint64_t level = structure == "falling" ? 1u << 30 : 1000;
  const auto run = [&](std::uint64_t value, std::size_t length, std::uint64_t delta) {
    for (; length > 0 && numbers.size() < count; --length, value += delta) {
      numbers.push_back(value);
    }
  };
  while (numbers.size() < count) {
    if (structure == "constant") run(7, count, 0);
    if (structure == "short runs") run(random() % (1u << 20), 1 + random() % 7, 0);
    if (structure == "long runs") run(random(), 256, random() % 3);
    if (structure == "literals") run(wide() >> 40, 1, 0);
    if (structure == "mixed") {
      run(std::uint64_t{0} - random() % 500, 1 + (random() % 3 == 0 ? random() % 700 : 0),
          random() % 2);
    }
    if (structure == "rising") run(level += random() % 9, 1, 0);
    if (structure == "falling") run(level -= random() % 300, 1, 0);
    if (structure == "one step") run(level, count, 3);
    if (structure == "outliers") {
      run(random() % 40 == 0 ? 100000 + random() % 1000 : random() % 100, 1, 0);
    }
    if (structure == "wide outliers") {
      run(random() % 300 == 0 ? wide() >> random() % 20 : random() % 4, 1, 0);
    }
    if (structure == "any width") run(wide() >> random() % 64, 1 + random() % 2, 0);
    if (structure == "extremes") {
      constexpr std::uint64_t kExtremes[] = {0,
                                             1,
                                             0x7f,
                                             0x80,
                                             0x7fff,
                                             0x8000,
                                             0x7fffffff,
                                             0x80000000,
                                             0x7fffffffffffffff,
                                             0x8000000000000000,
                                             ~std::uint64_t{0}};
      run(kExtremes[random() % std::size(kExtremes)], 1 + random() % 4, 0);
    }
    if (structure == "pairs of runs") {
      run(5, 2, 0);
      run(random() % 2 == 0 ? 6 : 300, 2, 0);
    }
    if (structure == "alternating") {
      run(1, 1, 0);
      run(std::uint64_t{0} - 1, 1, 0);
    }
  }
  return numbers;
}

/// The numbers' low bits as values of type T.
template <class T>
std::vector<T> values_of(const std::vector<std::uint64_t>& numbers) {
  std::vector<T> values;
  values.reserve(numbers.size());
  for (const std::uint64_t number : numbers) values.push_back(static_cast<T>(number));
  return values;
}

}  // namespace gannet::test
