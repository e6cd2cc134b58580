// The order in which blocks and threads run.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace gannet::simt {

/// Seed 0: ascending. Any other: an order of its own, the same on every run and platform.
class Order {
 public:
  explicit Order(std::uint64_t seed) : shuffled_(seed != 0), state_(seed) {}

  bool shuffled() const { return shuffled_; }

  /// 32 random bits (splitmix64).
  std::uint32_t random() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return static_cast<std::uint32_t>(z >> 32);
  }

  /// The number of one of the bits that are set (at least one is).
  std::uint32_t pick(std::uint32_t bits) {
    const int turn = static_cast<int>(random() % 32);
    return static_cast<std::uint32_t>(std::countr_zero(std::rotr(bits, turn)) + turn) % 32;
  }

  /// In which order `count` things come: the number of the i-th is sequence[i]. Empty: ascending.
  std::vector<std::uint32_t> sequence(std::uint32_t count) {
    std::vector<std::uint32_t> numbers(shuffled_ ? count : 0);
    for (std::uint32_t i = 0; i < numbers.size(); ++i) numbers[i] = i;
    for (std::uint32_t i = count; i > 1 && shuffled_; --i) {
      std::swap(numbers[i - 1], numbers[random() % i]);
    }
    return numbers;
  }

 private:
  bool shuffled_;
  std::uint64_t state_;
};

}  // namespace gannet::simt
