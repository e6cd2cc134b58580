// What the codec tests share: distributions of values, list lengths around every boundary, and
// memory in which a read or write outside of a list is a fault.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "codecs/all.hpp"
#include "codecs/core/wide.hpp"
#include "codecs/docids.hpp"
#include "codecs/registry.hpp"

namespace gannet::test {

using Words = std::vector<std::uint32_t>;

/// Random that yields 32-bit numbers (on 64-bit Linux, the standard's yields 64-bit ones).
using Random =
    std::mersenne_twister_engine<std::uint32_t, 32, 624, 397, 31, 0x9908b0df, 11, 0xffffffff, 7,
                                 0x9d2c5680, 15, 0xefc60000, 18, 1812433253>;

/// testing::Types of the codecs of all.hpp.
template <class>
struct TypesOf;
template <class... C>
struct TypesOf<std::tuple<C...>> {
  using type = ::testing::Types<C...>;
};
using CodecTypes = TypesOf<codecs::TileCodecs>::type;

/// Names typed tests after their codec.
struct CodecNames {
  template <class C>
  static std::string GetName(int) {
    std::string name(C::name);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
  }
};

/// Words that end where a page without access begins (or start where one ends): reading or writing
/// one word too many is a segmentation fault, with or without sanitizers.
class FencedWords {
 public:
  enum class Fence { kBehind, kBefore };

  FencedWords(std::size_t size, Fence fence) : size_(size) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t body = (size * 4 + page - 1) / page * page;
    bytes_ = body + page;
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory_ == MAP_FAILED) throw std::runtime_error("mmap failed");
    auto* start = static_cast<unsigned char*>(memory_);
    const bool behind = fence == Fence::kBehind;
    mprotect(behind ? start + body : start, page, PROT_NONE);
    unsigned char* first = behind ? start + body - size * 4 : start + page;
    data_ = reinterpret_cast<std::uint32_t*>(first);
  }
  FencedWords(std::span<const std::uint32_t> words, Fence fence)
      : FencedWords(words.size(), fence) {
    std::copy(words.begin(), words.end(), data_);
  }
  ~FencedWords() { munmap(memory_, bytes_); }
  FencedWords(const FencedWords&) = delete;
  FencedWords& operator=(const FencedWords&) = delete;

  std::uint32_t* data() const { return data_; }
  std::span<const std::uint32_t> span() const { return {data_, size_}; }
  Words copy() const { return {data_, data_ + size_}; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
  std::uint32_t* data_ = nullptr;
  std::size_t size_;
};

inline constexpr auto kBehind = FencedWords::Fence::kBehind;
inline constexpr auto kBefore = FencedWords::Fence::kBefore;

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

template <class C>
Words encoded(std::span<const std::uint32_t> values) {
  Words words;
  C::encode(values, words);
  return words;
}

template <class C>
Words encoded_docids(std::span<const std::uint32_t> docids) {
  Words words;
  codecs::list_codec_with(C::id).encode_docids(docids, words);
  return words;
}

/// Scratch memory for a codec's wide forms, filled with rubbish.
template <class C>
class WideScratch {
 public:
  WideScratch() { words_.fill(0xdeadbeefu); }
  std::uint32_t* words() { return words_.data(); }

 private:
  alignas(16) std::array<std::uint32_t, codecs::kWideScratch<C> + 4> words_;
};

}  // namespace gannet::test
