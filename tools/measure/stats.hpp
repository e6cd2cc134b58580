// Statistics of measurements.
#pragma once

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

namespace gannet::tools {

/// The value below which the share `q` (0 .. 1) of `sorted` (ascending, not empty) lies, linearly
/// interpolated between neighbours.
double quantile(std::span<const double> sorted, double q);

/// The median of `samples` (not empty).
double median(std::vector<double> samples);

struct Quantiles {
  double mean = 0;
  double p50 = 0;
  double p95 = 0;
  double p99 = 0;
  double max = 0;
};

/// All zero for no samples.
Quantiles quantiles(std::vector<double> samples);

/// Seconds since the stopwatch was made.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Calls `work` once, and until a tenth of a second is over: while the first calls run, threads are
/// woken and get memory of their own, which short ones would measure.
template <class Work>
void warm_up(const Work& work) {
  constexpr double kSeconds = 0.1;
  const Stopwatch watch;
  do {
    work();
  } while (watch.seconds() < kSeconds);
}

/// Median seconds of one call of `work`, over `repeats` (>= 1) samples after a warm-up. A sample is
/// as many calls as take about half a millisecond, so that the clock does not matter.
template <class Work>
double time_calls(int repeats, const Work& work) {
  constexpr double kSampleSeconds = 5e-4;
  const Stopwatch first;
  work();
  const double cold = first.seconds();
  const Stopwatch second;
  work();
  const double once = std::max(std::min(cold, second.seconds()), 1e-8);
  const int calls = once < kSampleSeconds ? static_cast<int>(kSampleSeconds / once) + 1 : 1;
  std::vector<double> samples;
  for (int i = 0; i < repeats; ++i) {
    const Stopwatch watch;
    for (int call = 0; call < calls; ++call) work();
    samples.push_back(watch.seconds() / calls);
  }
  return median(std::move(samples));
}

}  // namespace gannet::tools
