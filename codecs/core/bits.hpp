// Bit fields in arrays of 32-bit words: reading on host and device, writing on the host.
//
// Bit i of an array is bit i % 32 of word i / 32; bit 0 of a word is its lowest bit. The functions
// are thread-safe.
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

/// A word whose lowest `width` bits are 1: all bits for a width of 32 and above.
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

/// `sum` plus the four unsigned bytes of `word`, modulo 2^32. One instruction on the device.
GANNET_HD std::uint32_t add_bytes(std::uint32_t word, std::uint32_t sum) {
#if defined(__CUDA_ARCH__)
  return __dp4a(word, 0x01010101u, sum);
#else
  return sum + (word & 0xff) + (word >> 8 & 0xff) + (word >> 16 & 0xff) + (word >> 24);
#endif
}

/// `sum` plus the two unsigned 16-bit halves of `word`, modulo 2^32. One instruction on the device.
GANNET_HD std::uint32_t add_halves(std::uint32_t word, std::uint32_t sum) {
#if defined(__CUDA_ARCH__)
  return __dp2a_lo(word, 0x0101u, sum);
#else
  return sum + (word & 0xffff) + (word >> 16);
#endif
}

/// `a` / `b`, rounded up, for any `a`. `b` must not be 0.
GANNET_HD constexpr std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) {
  return a / b + (a % b != 0 ? 1u : 0u);
}

/// The 64-bit number with these two halves.
GANNET_HD std::uint64_t concat(std::uint32_t low, std::uint32_t high) {
  return static_cast<std::uint64_t>(high) << 32 | low;
}

/// The lower word of the 64-bit number (`low`, `high`) after a right shift by `shift` % 32 bits.
GANNET_HD std::uint32_t funnel(std::uint32_t low, std::uint32_t high, std::uint32_t shift) {
  return static_cast<std::uint32_t>(concat(low, high) >> (shift % 32));
}

/// The value of `width` (0..32) bits that starts at bit `bit` of `words`, lowest bit first. The
/// function reads only the one or two words that hold the value, and none for a width of 0. So a
/// value at the end of a buffer is safe.
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

/// Appends values of 0 to 32 bits to a vector of words, lowest bit first, without gaps. The vector
/// must outlive the writer. It has all values only after flush() or the destructor, which calls
/// flush(). Not thread-safe.
class BitWriter {
 public:
  explicit BitWriter(std::vector<std::uint32_t>& words) : words_(words) {}
  ~BitWriter() { flush(); }
  BitWriter(const BitWriter&) = delete;
  BitWriter& operator=(const BitWriter&) = delete;

  /// Appends `value` in `width` (0..32) bits. The bits of `value` above these must be 0: put() does
  /// not mask them.
  void put(std::uint32_t value, std::uint32_t width) {
    pending_ |= static_cast<std::uint64_t>(value) << filled_;
    filled_ += width;
    if (filled_ >= 32) {
      words_.push_back(static_cast<std::uint32_t>(pending_));
      pending_ >>= 32;
      filled_ -= 32;
    }
  }

  /// Completes the last word with zero bits. The next put() starts a new word.
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
