// Timing work on a stream. For .cu files and host files that include the CUDA runtime.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "codecs/base/cuda/memory.hpp"

namespace gannet::measure {

inline double median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

/// Median seconds of `repeats` calls of `work(i)`, each between two events on `stream`, after three
/// calls and ten milliseconds to warm up: a device that was idle, or busy with allocations, takes
/// up to a fifth longer for the first milliseconds. Data should be larger than the L2 cache, or
/// rotate with i.
template <class Work>
double time_each(cudaStream_t stream, int repeats, Work work) {
  constexpr int kWarmUpCalls = 3;
  constexpr double kWarmUpSeconds = 0.01;
  codecs::cuda::Event start;
  codecs::cuda::Event stop;
  int calls = 0;
  const auto time_one = [&] {
    start.record(stream);
    work(calls++);
    stop.record(stream);
    stop.wait();
    return stop.seconds_since(start);
  };
  for (double warm = 0; warm < kWarmUpSeconds || calls < kWarmUpCalls;) warm += time_one();
  std::vector<double> samples;
  for (int i = 0; i < repeats; ++i) samples.push_back(time_one());
  return median(samples);
}

/// Seconds that each of so many calls takes which are queued one behind the other, so that the host
/// has launched one before another ends: the median over `repeats` rows. work(i) queues the i-th.
template <class Work>
double time_in_a_row(cudaStream_t stream, int repeats, int calls, Work work) {
  int first = 0;
  const double row = time_each(stream, repeats, [&](int) {
    for (int i = 0; i < calls; ++i) work(first + i);
    first += calls;
  });
  return row / calls;
}

}  // namespace gannet::measure
