// Generators of test data that the benchmarks share: the same values on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <thread>
#include <vector>

#include "corpora/synthetic/random.hpp"

namespace gannet::bench {

/// Cheap random numbers, good enough for test data (SplitMix64).
class Mixer {
 public:
  explicit Mixer(std::uint64_t seed) : state_(seed) {}
  std::uint64_t operator()() {
    const std::uint64_t result = corpora::mix64(state_);
    state_ += 0x9e3779b97f4a7c15u;
    return result;
  }
  /// In [0, n), n > 0.
  std::uint64_t below(std::uint64_t n) { return (*this)() % n; }
  /// Uniform in [0, 1).
  double unit() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

/// Threads of this machine.
inline std::size_t all_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

/// Runs work(i) for all i in [0, parts), on as many threads.
template <class Work>
void in_parallel(std::size_t parts, const Work& work) {
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < parts; ++i) threads.emplace_back([&work, i] { work(i); });
}

/// A column that fill(first, part) makes in parts, on all threads: part is [first, ...).
template <class Fill>
std::vector<std::uint32_t> filled(std::uint64_t count, const Fill& fill) {
  std::vector<std::uint32_t> values(count);
  const std::size_t threads = all_threads();
  in_parallel(threads, [&](std::size_t t) {
    const std::uint64_t first = count * t / threads;
    fill(first, std::span(values).subspan(first, count * (t + 1) / threads - first));
  });
  return values;
}

/// value(i) for every i in [0, count).
template <class Value>
std::vector<std::uint32_t> generated(std::uint64_t count, const Value& value) {
  return filled(count, [&](std::uint64_t first, std::span<std::uint32_t> part) {
    for (std::uint32_t& one : part) one = static_cast<std::uint32_t>(value(first++));
  });
}

/// Values uniform in [0, 2^bits), bits in 1 .. 32.
inline std::vector<std::uint32_t> uniform_values(std::uint64_t count, std::uint32_t bits) {
  return generated(count, [bits](std::uint64_t i) { return corpora::mix64(i) >> (64 - bits); });
}

/// Runs of values of 16 bits: each ends with the probability 1 / mean.
inline std::vector<std::uint32_t> run_values(std::uint64_t count, double mean) {
  const auto limit = static_cast<std::uint64_t>(0x1p63 / mean) * 2;
  return filled(count, [limit](std::uint64_t first, std::span<std::uint32_t> part) {
    std::uint64_t run = first;
    for (std::uint32_t& value : part) {
      value = static_cast<std::uint32_t>(corpora::mix64(run) >> 48);
      if (corpora::mix64(~first) < limit) run = first + 1;
      ++first;
    }
  });
}

}  // namespace gannet::bench
