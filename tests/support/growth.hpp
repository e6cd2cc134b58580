// Whether work grows with its input as it should, told by the processor time of one thread: no
// bound in seconds, which would depend on the machine and what else it does.
#pragma once

#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace gannet::test {

/// Processor time of the calling thread in seconds.
inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Runs `work(make(n))` for n = `size` and eight times as much, and expects clearly less than the
/// 64 times longer that quadratic work takes: linear work with its caches and logarithms takes 8
/// to 16.
template <class Make, class Work>
void expect_nearly_linear(const std::string& what, std::size_t size, const Make& make,
                          const Work& work) {
  const auto least = [&](std::size_t n) {
    const auto input = make(n);
    double seconds = 1e9;
    for (int i = 0; i < 3; ++i) {
      const double start = thread_seconds();
      work(input);
      seconds = std::min(seconds, thread_seconds() - start);
    }
    return seconds;
  };
  // Below that the clock and a cold cache decide.
  const double once = std::max(least(size), 2e-3);
  EXPECT_LT(least(8 * size), 32 * once)
      << what << ": eight times the input took more than 32 times";
}

/// `unit(i)` for i < n, one after the other.
template <class Unit>
std::string repeated(std::size_t n, const Unit& unit) {
  std::string text;
  for (std::size_t i = 0; i < n; ++i) text += unit(i);
  return text;
}

}  // namespace gannet::test
