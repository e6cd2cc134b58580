#include "query/columns/counting/exact_sum.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gannet::query {
namespace {

/// A whole number of many words, times 2^-1074: two's complement, least significant word first.
class WideNumber {
 public:
  /// Adds number * 2^shift.
  void add(Int128 number, std::size_t shift) {
    const bool negative = number < 0;
    const Uint128 size = negative ? -static_cast<Uint128>(number) : static_cast<Uint128>(number);
    const std::size_t word = shift / 64;
    const unsigned bit = shift % 64;
    const auto low = static_cast<std::uint64_t>(size);
    const auto high = static_cast<std::uint64_t>(size >> 64);
    add_word(word, low << bit, negative);
    add_word(word + 1, (bit == 0 ? 0 : low >> (64 - bit)) | high << bit, negative);
    add_word(word + 2, bit == 0 ? 0 : high >> (64 - bit), negative);
  }

  bool negative() const { return words_.back() >> 63 != 0; }

  void negate() {
    for (std::uint64_t& word : words_) word = ~word;
    add_word(0, 1, false);
  }

  /// The number of the highest bit that is set; -1 if there is none. Not of negative numbers.
  int highest_bit() const {
    for (std::size_t i = words_.size(); i-- > 0;) {
      if (words_[i] != 0) return static_cast<int>(i * 64 + 63) - std::countl_zero(words_[i]);
    }
    return -1;
  }

  bool bit(int number) const {
    const auto at = static_cast<std::size_t>(number);
    return (words_[at / 64] >> at % 64 & 1) != 0;
  }
  /// Whether any bit below this one is set.
  bool any_below(int number) const {
    const auto end = static_cast<std::size_t>(number) / 64;
    const std::uint64_t last = words_[end] & ((std::uint64_t{1} << number % 64) - 1);
    return last != 0 || std::any_of(words_.begin(), words_.begin() + static_cast<int>(end),
                                    [](std::uint64_t word) { return word != 0; });
  }
  /// Bits [low, low + 53) as a number.
  std::uint64_t significand(int low) const {
    std::uint64_t bits = 0;
    for (int i = 52; i >= 0; --i) bits = bits << 1 | (bit(low + i) ? 1 : 0);
    return bits;
  }

 private:
  void add_word(std::size_t at, std::uint64_t word, bool negative) {
    while (word != 0 && at < words_.size()) {
      const std::uint64_t before = words_[at];
      words_[at] = negative ? before - word : before + word;
      word = (negative ? before < word : words_[at] < before) ? 1 : 0;
      ++at;
    }
  }

  /// 2046 bits of shift, 128 of a sum, and a sign.
  std::array<std::uint64_t, 36> words_{};
};

}  // namespace

void ExactSum::make_room(std::size_t exponent) {
  if (sums_.empty()) first_ = exponent;
  const std::size_t least = std::min(first_, exponent);
  const std::size_t end = std::max(first_ + sums_.size(), exponent + 1);
  sums_.insert(sums_.begin(), first_ - least, 0);
  sums_.resize(end - least);
  first_ = least;
}

double ExactSum::rounded() const {
  WideNumber sum;
  for (std::size_t i = 0; i < sums_.size(); ++i) sum.add(sums_[i], first_ + i - 1);
  const bool negative = sum.negative();
  if (negative) sum.negate();
  const int highest = sum.highest_bit();
  if (highest < 0) return 0;
  const int low = highest > 52 ? highest - 52 : 0;
  std::uint64_t significand = sum.significand(low);
  if (low > 0 && sum.bit(low - 1)) {
    significand += sum.any_below(low - 1) || (significand & 1) != 0 ? 1 : 0;
  }
  // 2^53 is a double too; beyond the largest one, ldexp gives infinity.
  const double size = std::ldexp(static_cast<double>(significand), low - 1074);
  return negative ? -size : size;
}

}  // namespace gannet::query
