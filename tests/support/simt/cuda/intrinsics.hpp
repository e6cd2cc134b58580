// Integer intrinsics: bits, bytes, products.
#pragma once

#include <bit>
#include <cstdint>

inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(static_cast<unsigned>(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return x == 0 ? 0 : std::countr_zero(static_cast<unsigned>(x)) + 1; }
inline int __ffsll(long long x) {
  return x == 0 ? 0 : std::countr_zero(static_cast<unsigned long long>(x)) + 1;
}

inline unsigned __brev(unsigned x) {
  unsigned reversed = 0;
  for (int i = 0; i < 32; ++i) reversed |= (x >> i & 1) << (31 - i);
  return reversed;
}
inline unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(static_cast<unsigned>(x))) << 32 |
         __brev(static_cast<unsigned>(x >> 32));
}

/// Byte i of the result is the one of x and y (bytes 0-3 and 4-7) that nibble i of `selector`
/// names; with the nibble's highest bit, its sign in all bits.
inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const std::uint64_t both = static_cast<std::uint64_t>(y) << 32 | x;
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned nibble = selector >> 4 * i & 0xf;
    unsigned byte = static_cast<unsigned>(both >> 8 * (nibble & 7)) & 0xff;
    if ((nibble & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << 8 * i;
  }
  return result;
}

namespace gannet::simt {
inline std::uint64_t words(unsigned low, unsigned high) {
  return static_cast<std::uint64_t>(high) << 32 | low;
}
}  // namespace gannet::simt

// The words high:low, shifted; the plain forms take the shift modulo 32, the others at most 32.
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(gannet::simt::words(low, high) >> (shift & 31));
}
inline unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(gannet::simt::words(low, high) >> (shift < 32 ? shift : 32));
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(gannet::simt::words(low, high) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>(gannet::simt::words(low, high) << (shift < 32 ? shift : 32) >> 32);
}

inline unsigned __umulhi(unsigned x, unsigned y) {
  return static_cast<unsigned>(static_cast<std::uint64_t>(x) * y >> 32);
}
inline int __mulhi(int x, int y) {
  return static_cast<int>(static_cast<std::int64_t>(x) * y >> 32);
}
inline unsigned long long __umul64hi(unsigned long long x, unsigned long long y) {
  const std::uint64_t low = (x & 0xffffffff) * (y & 0xffffffff);
  const std::uint64_t middle = (x >> 32) * (y & 0xffffffff) + (low >> 32);
  const std::uint64_t other = (x & 0xffffffff) * (y >> 32) + (middle & 0xffffffff);
  return (x >> 32) * (y >> 32) + (middle >> 32) + (other >> 32);
}

/// The sum of `sum` and the products of four bytes each.
inline unsigned __dp4a(unsigned x, unsigned y, unsigned sum) {
  for (unsigned i = 0; i < 32; i += 8) sum += (x >> i & 0xff) * (y >> i & 0xff);
  return sum;
}
/// The sum of `sum` and the products of x's two halves and y's two lower bytes.
inline unsigned __dp2a_lo(unsigned x, unsigned y, unsigned sum) {
  return sum + (x & 0xffff) * (y & 0xff) + (x >> 16) * (y >> 8 & 0xff);
}
inline unsigned __dp2a_hi(unsigned x, unsigned y, unsigned sum) {
  return __dp2a_lo(x, y >> 16, sum);
}
