// Distributions of 32-bit values, and list lengths around every boundary.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "codecs/core/bits.hpp"
#include "tests/support/codecs/fenced_words.hpp"
#include "tests/support/random.hpp"

namespace gannet::test {

/// Lengths around the boundaries of lanes, tiles, blocks, chains and groups of tiles.
inline std::vector<std::uint32_t> boundary_lengths() {
  return {0,    1,    2,    3,    4,    5,    31,   32,   33,   63,   127,  128,  129, 255,
          256,  257,  383,  384,  385,  511,  512,  513,  640,  767,  895,  896,  897, 1023,
          1024, 1025, 1152, 1279, 1281, 2047, 2048, 2049, 3071, 3073, 4095, 4096, 4097};
}

/// Values uniform in [0, 2^bits).
inline Words uniform(std::uint32_t count, std::uint32_t bits, std::uint32_t seed = 1) {
  Random random(seed);
  Words values(count);
  for (auto& value : values) value = random() & codecs::low_mask(bits);
  return values;
}

/// Strictly ascending docids whose gaps are uniform in [1, 2 * mean_gap - 1].
inline Words ascending(std::uint32_t count, std::uint32_t mean_gap, std::uint32_t first = 0,
                       std::uint32_t seed = 2) {
  Random random(seed);
  std::uniform_int_distribution<std::uint32_t> gap(1, 2 * mean_gap - 1);
  Words docids(count);
  std::uint32_t docid = first;
  for (auto& value : docids) {
    value = docid;
    docid += gap(random);
  }
  return docids;
}

/// Small values often, large ones seldom (a Zipf-like tail up to 2^32 - 1).
inline Words zipf(std::uint32_t count, std::uint32_t seed = 3) {
  Random random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  Words values(count);
  for (auto& value : values) {
    value =
        static_cast<std::uint32_t>(std::min(4294967295.0, std::pow(1.0 - unit(random), -1.5) - 1));
  }
  return values;
}

/// Runs of equal values uniform in [0, 2^bits), as if every value were repeated with the
/// probability 1 - 1 / mean.
inline Words runs(std::uint32_t count, double mean, std::uint32_t bits, std::uint32_t seed = 4) {
  Random random(seed);
  std::bernoulli_distribution ends(1 / mean);
  Words values(count);
  std::uint32_t value = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (i == 0 || ends(random)) value = random() & codecs::low_mask(bits);
    values[i] = value;
  }
  return values;
}

/// All `usual`, but one in the middle.
inline Words outlier(std::uint32_t count, std::uint32_t usual, std::uint32_t unusual) {
  Words values(count, usual);
  if (count > 0) values[count / 2] = unusual;
  return values;
}

inline Words descending(std::uint32_t count) {
  Words values(count);
  for (std::uint32_t i = 0; i < count; ++i) values[i] = 0xffffffffu - 3 * i;
  return values;
}

struct Distribution {
  std::string name;
  std::function<Words(std::uint32_t count)> make;
};

/// The distributions with which every codec is tested.
inline std::vector<Distribution> distributions() {
  std::vector<Distribution> all{
      {"zeros", [](std::uint32_t n) { return Words(n, 0); }},
      {"constant", [](std::uint32_t n) { return Words(n, 77); }},
      {"largest values", [](std::uint32_t n) { return Words(n, 0xffffffffu); }},
      {"dense ascending", [](std::uint32_t n) { return ascending(n, 2); }},
      {"sparse ascending", [](std::uint32_t n) { return ascending(n, 1000, 12345); }},
      {"descending", descending},
      {"zipf", [](std::uint32_t n) { return zipf(n); }},
      {"one outlier", [](std::uint32_t n) { return outlier(n, 3, 0xffffffffu); }},
      {"one zero among the largest", [](std::uint32_t n) { return outlier(n, 0xffffffffu, 0); }},
      {"short runs", [](std::uint32_t n) { return runs(n, 1.5, 32); }},
      {"runs of a few", [](std::uint32_t n) { return runs(n, 4, 8); }},
      {"runs of a tile", [](std::uint32_t n) { return runs(n, 100, 17); }},
      {"runs longer than blocks", [](std::uint32_t n) { return runs(n, 900, 3); }},
  };
  for (const std::uint32_t bits : {1u, 7u, 8u, 9u, 16u, 23u, 31u, 32u}) {
    all.push_back({"uniform " + std::to_string(bits) + " bits",
                   [bits](std::uint32_t n) { return uniform(n, bits); }});
  }
  return all;
}

}  // namespace gannet::test
