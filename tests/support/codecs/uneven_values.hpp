// A column whose parts take very different room: what device kernels plan for the average must
// serve the rest as well.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace gannet::test {

/// Mostly values of three bits, or runs of up to 300 equal ones; every eighth stretch of 4,000
/// values holds any values of the type, the next one runs of one to three of them.
template <class T>
std::vector<T> uneven_values(std::uint32_t count) {
  constexpr std::uint32_t kStretch = 4000;
  std::mt19937_64 random(count);
  std::vector<T> values(count);
  for (std::uint32_t i = 0; i < count;) {
    const std::uint32_t kind = i / kStretch % 8;
    const std::uint64_t drawn = random();
    const auto value = static_cast<T>(kind >= 6 ? drawn : drawn % 8);
    std::uint64_t run = 1;
    if (kind == 7) run = 1 + (drawn >> 32) % 3;
    if (kind % 2 == 1 && kind < 6) run = 1 + (drawn >> 32) % 300;
    for (; run > 0 && i < count; --run) values[i++] = value;
  }
  return values;
}

}  // namespace gannet::test
