// Timing work on a stream. For .cu files and host files that include the CUDA runtime.
#pragma once

#include <algorithm>
#include <vector>

#include "gannet/codecs/cuda/memory.hpp"

namespace gannet::codecs::cuda {

inline double median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

/// Median seconds of `repeats` calls of `work(i)`, each between two events on `stream`, after three
/// calls to warm up. Data should be larger than the L2 cache, or rotate with i.
template <class Work>
double time_each(cudaStream_t stream, int repeats, Work work) {
  constexpr int kWarmUp = 3;
  Event start;
  Event stop;
  std::vector<double> samples;
  for (int i = 0; i < kWarmUp + repeats; ++i) {
    start.record(stream);
    work(i);
    stop.record(stream);
    stop.wait();
    if (i >= kWarmUp) samples.push_back(stop.seconds_since(start));
  }
  return median(samples);
}

}  // namespace gannet::codecs::cuda
