// Bytes such as byte-oriented codecs meet: text, noise, runs, repetitions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace gannet::test {

using Bytes = std::vector<std::uint8_t>;

/// English-like text: words of a vocabulary with Zipf's frequencies, sentences and paragraphs.
inline Bytes text_bytes(std::size_t size, std::uint32_t seed = 1) {
  std::mt19937 random(seed);
  std::vector<std::string> words(3000);
  for (auto& word : words) {
    const std::size_t letters = 2 + random() % 4 + random() % 6;
    for (std::size_t i = 0; i < letters; ++i)
      word += "etaoinshrdlucmfwypvbgkjqxz"[std::min(random() % 26, random() % 26)];
  }
  Bytes bytes;
  std::uniform_real_distribution<double> unit(0, 1);
  while (bytes.size() < size) {
    const double u = unit(random);
    const auto rank = static_cast<std::size_t>(std::exp(u * std::log(3000.0))) - 1;
    const std::string& word = words[std::min<std::size_t>(rank, words.size() - 1)];
    bytes.insert(bytes.end(), word.begin(), word.end());
    const std::uint32_t sign = random() % 64;
    bytes.push_back(sign == 0 ? '\n' : sign < 5 ? '.' : ' ');
  }
  bytes.resize(size);
  return bytes;
}

inline Bytes random_bytes(std::size_t size, std::uint32_t values = 256, std::uint32_t seed = 1) {
  std::mt19937 random(seed);
  Bytes bytes(size);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random() % values);
  return bytes;
}

/// Runs of equal bytes, of 1 to `longest`.
inline Bytes run_bytes(std::size_t size, std::uint32_t longest, std::uint32_t seed = 1) {
  std::mt19937 random(seed);
  Bytes bytes;
  while (bytes.size() < size) {
    bytes.insert(bytes.end(), 1 + random() % longest, static_cast<std::uint8_t>(random()));
  }
  bytes.resize(size);
  return bytes;
}

/// A piece of random bytes, again and again, `distance` apart: matches of that distance.
inline Bytes repeated_bytes(std::size_t size, std::size_t distance, std::uint32_t seed = 1) {
  Bytes bytes = random_bytes(std::min(size, distance), 256, seed);
  for (std::size_t i = bytes.size(); i < size; ++i) bytes.push_back(bytes[i - distance]);
  return bytes;
}

}  // namespace gannet::test
