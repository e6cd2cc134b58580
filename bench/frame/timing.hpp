// Timing on the host. (On the device: tools/measure/device/timing.hpp.)
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

namespace gannet::bench {

/// Seconds that work() takes.
template <class Work>
double seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

inline double median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

/// Seconds of one call of `work`: the median of at least `repeats` calls and of a quarter of a
/// second, after one that warms up.
template <class Work>
double median_seconds(int repeats, const Work& work) {
  work();
  std::vector<double> samples;
  double all = 0;
  while (samples.size() < static_cast<std::size_t>(repeats) || all < 0.25) {
    samples.push_back(seconds_of(work));
    all += samples.back();
  }
  return median(std::move(samples));
}

}  // namespace gannet::bench
