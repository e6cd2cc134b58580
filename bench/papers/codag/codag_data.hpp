// Synthetic columns with the types and run structures of CODAG's data sets (tables IV and V), and
// those that show what a decoder is good at.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/frame/data.hpp"

namespace gannet::bench {

/// Values as runs of random lengths; `value` is called once a run.
template <class T, class Length, class Value>
std::vector<T> in_runs(std::size_t count, std::uint64_t seed, Length length, Value value) {
  Mixer mixer(seed);
  std::vector<T> values;
  values.reserve(count);
  while (values.size() < count) {
    const T next = static_cast<T>(value(mixer));
    const std::size_t run = std::min<std::size_t>(length(mixer), count - values.size());
    values.insert(values.end(), run, next);
  }
  return values;
}

/// Lengths from 1 up with a mean (geometric).
inline auto mean_length(double mean) {
  return [mean](Mixer& mixer) {
    return 1 + static_cast<std::size_t>(std::log(1 - mixer.unit()) / std::log(1 - 1 / mean));
  };
}

/// The letters of `words`, words drawn at random.
inline std::vector<std::uint8_t> text_of(std::size_t count, std::uint64_t seed,
                                         const std::vector<std::string>& words) {
  Mixer mixer(seed);
  std::vector<std::uint8_t> text;
  text.reserve(count + 16);
  while (text.size() < count) {
    const std::string& word = words[mixer.below(words.size())];
    text.insert(text.end(), word.begin(), word.end());
  }
  text.resize(count);
  return text;
}

/// Ascending values with steps uniform in [0, 2 * mean].
inline std::vector<std::uint32_t> ascending_column(std::size_t count, std::uint64_t mean) {
  Mixer mixer(7);
  std::vector<std::uint32_t> values(count);
  std::uint32_t last = 0;
  for (auto& value : values) value = last += static_cast<std::uint32_t>(mixer.below(2 * mean + 1));
  return values;
}

/// A power law over [0, 2^bits): what recommender features and graph ids look like.
inline std::uint64_t power_law(Mixer& mixer, int bits) {
  return static_cast<std::uint64_t>(std::exp2(mixer.unit() * mixer.unit() * bits)) - 1;
}

}  // namespace gannet::bench
