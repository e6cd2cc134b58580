// Bit-level reading (host and device) and writing (host) of 32-bit little-endian words.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "codecs/core/lanes.hpp"

namespace gannet::codecs {

/// The smallest number of bits that holds `value`: 0 for 0, 32 for values of 2^31 and above.
inline std::uint32_t bit_width(std::uint32_t value) {
  return static_cast<std::uint32_t>(std::bit_width(value));
}

GANNET_HD std::uint32_t low_mask(std::uint32_t width) {
  return width >= 32 ? 0xffffffffu : (1u << width) - 1;
}

GANNET_HD std::uint32_t popcount(std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__popc(word));
#else
  return static_cast<std::uint32_t>(std::popcount(word));
#endif
}

/// `sum` and the four bytes of `word`.
GANNET_HD std::uint32_t add_bytes(std::uint32_t word, std::uint32_t sum) {
#if defined(__CUDA_ARCH__)
  return __dp4a(word, 0x01010101u, sum);
#else
  return sum + (word & 0xff) + (word >> 8 & 0xff) + (word >> 16 & 0xff) + (word >> 24);
#endif
}

/// `sum` and the two 16-bit halves of `word`.
GANNET_HD std::uint32_t add_halves(std::uint32_t word, std::uint32_t sum) {
#if defined(__CUDA_ARCH__)
  return __dp2a_lo(word, 0x0101u, sum);
#else
  return sum + (word & 0xffff) + (word >> 16);
#endif
}

GANNET_HD constexpr std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) {
  return a / b + (a % b != 0 ? 1u : 0u);
}

/// Two words as one number.
GANNET_HD std::uint64_t concat(std::uint32_t low, std::uint32_t high) {
  return static_cast<std::uint64_t>(high) << 32 | low;
}

/// The 32 bits that start `shift % 32` bits into `low`, of which `high` is the next word.
GANNET_HD std::uint32_t funnel(std::uint32_t low, std::uint32_t high, std::uint32_t shift) {
  return static_cast<std::uint32_t>(concat(low, high) >> (shift % 32));
}

/// The `width` (0..32) bits that start `bit` bits after the start of `words`, lowest bit first.
/// Reads the one or two words that hold them and no other: a value at the end of a buffer is safe.
GANNET_HD std::uint32_t extract(const std::uint32_t* words, std::uint32_t bit,
                                std::uint32_t width) {
  if (width == 0) return 0;
  const std::uint32_t index = bit / 32;
  const std::uint32_t shift = bit % 32;
  const std::uint32_t low = words[index];
  const std::uint32_t high = shift + width > 32 ? words[index + 1] : 0;
#if defined(__CUDA_ARCH__)
  return __funnelshift_r(low, high, shift) & low_mask(width);
#else
  const std::uint64_t both = static_cast<std::uint64_t>(high) << 32 | low;
  return static_cast<std::uint32_t>(both >> shift) & low_mask(width);
#endif
}

/// Appends values of any width to a vector of words, lowest bit first, without gaps.
class BitWriter {
 public:
  explicit BitWriter(std::vector<std::uint32_t>& words) : words_(words) {}
  ~BitWriter() { flush(); }
  BitWriter(const BitWriter&) = delete;
  BitWriter& operator=(const BitWriter&) = delete;

  /// Appends the low `width` (0..32) bits of `value`; its other bits must be 0.
  void put(std::uint32_t value, std::uint32_t width) {
    pending_ |= static_cast<std::uint64_t>(value) << filled_;
    filled_ += width;
    if (filled_ >= 32) {
      words_.push_back(static_cast<std::uint32_t>(pending_));
      pending_ >>= 32;
      filled_ -= 32;
    }
  }

  /// Fills the last word up with zero bits; the next put() starts a new word.
  void flush() {
    if (filled_ > 0) words_.push_back(static_cast<std::uint32_t>(pending_));
    pending_ = 0;
    filled_ = 0;
  }

 private:
  std::vector<std::uint32_t>& words_;
  std::uint64_t pending_ = 0;
  std::uint32_t filled_ = 0;
};

}  // namespace gannet::codecs
