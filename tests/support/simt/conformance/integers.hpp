// Integer intrinsics.
#pragma once

#include "tests/support/simt/conformance/cases.hpp"

namespace gannet::test::conformance {

/// Bit i of x.
inline std::uint32_t bit(std::uint64_t x, unsigned i) {
  return static_cast<std::uint32_t>(x >> i & 1);
}

inline std::uint64_t count_bits(std::uint64_t x) {
  std::uint64_t count = 0;
  for (unsigned i = 0; i < 64; ++i) count += bit(x, i);
  return count;
}

/// The number of the lowest bit that is set, counted from 1; 0 if none is.
inline std::uint64_t first_bit(std::uint64_t x) {
  for (unsigned i = 0; i < 64; ++i) {
    if (bit(x, i) != 0) return i + 1;
  }
  return 0;
}

inline std::uint64_t leading_zeros(std::uint64_t x, unsigned width) {
  std::uint64_t count = 0;
  while (count < width && bit(x, width - 1 - static_cast<unsigned>(count)) == 0) ++count;
  return count;
}

inline std::uint64_t reversed(std::uint64_t x, unsigned width) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < width; ++i) result = result << 1 | bit(x, i);
  return result;
}

GANNET_CASE(Popc, static_cast<std::uint64_t>(__popc(in.a)), return count_bits(in.a);)
GANNET_CASE(Popcll, static_cast<std::uint64_t>(__popcll(in.ab())), return count_bits(in.ab());)
GANNET_CASE(Ffs, static_cast<std::uint64_t>(__ffs(static_cast<int>(in.a))), return first_bit(in.a);)
GANNET_CASE(Ffsll, static_cast<std::uint64_t>(__ffsll(static_cast<long long>(in.ab()))),
            return first_bit(in.ab());)
GANNET_CASE(Clz, static_cast<std::uint64_t>(__clz(static_cast<int>(in.a))),
            return leading_zeros(in.a, 32);)
GANNET_CASE(Clzll, static_cast<std::uint64_t>(__clzll(static_cast<long long>(in.ab()))),
            return leading_zeros(in.ab(), 64);)
GANNET_CASE(Brev, __brev(in.a), return reversed(in.a, 32);)
GANNET_CASE(Brevll, __brevll(in.ab()), return reversed(in.ab(), 64);)

/// The guide speaks of the lowest three bits of a choice; of the fourth one the hardware has its
/// own opinion, and the compiler, which knows the selector, another.
inline std::uint64_t permuted(const Input& in, std::uint32_t selector) {
  const std::uint32_t words[2] = {in.a, in.b};
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t choice = selector / (1u << 4 * i) % 16;
    const std::uint32_t byte = words[choice % 8 / 4] / (1u << 8 * (choice % 4)) % 256;
    result += std::uint64_t{byte} << 8 * i;
  }
  return result;
}
GANNET_CASE(BytePerm, __byte_perm(in.a, in.b, in.c & 0x7777), return permuted(in, in.c & 0x7777);)

/// The 32 bits from bit `first` of the words high:low; what lies beyond them is 0.
inline std::uint64_t window(std::uint32_t low, std::uint32_t high, int first) {
  std::uint64_t result = 0;
  for (int i = 0; i < 32; ++i) {
    const int from = first + i;
    if (from < 0 || from >= 64) continue;
    const std::uint32_t word = from < 32 ? low : high;
    result |= std::uint64_t{bit(word, static_cast<unsigned>(from % 32))} << i;
  }
  return result;
}
inline int at_most_32(std::uint32_t shift) { return shift < 32 ? static_cast<int>(shift) : 32; }
GANNET_CASE(FunnelR, __funnelshift_r(in.a, in.b, in.c),
            return window(in.a, in.b, static_cast<int>(in.c % 32));)
GANNET_CASE(FunnelRC, __funnelshift_rc(in.a, in.b, in.c),
            return window(in.a, in.b, at_most_32(in.c));)
GANNET_CASE(FunnelL, __funnelshift_l(in.a, in.b, in.c),
            return window(in.a, in.b, 32 - static_cast<int>(in.c % 32));)
GANNET_CASE(FunnelLC, __funnelshift_lc(in.a, in.b, in.c),
            return window(in.a, in.b, 32 - at_most_32(in.c));)

// Products: a bit of one factor after the other.
inline std::uint64_t high_product(std::uint64_t x, std::uint64_t y, unsigned width) {
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  for (unsigned i = width; i-- > 0;) {
    high = (high << 1 | bit(low, width - 1)) & mask;
    low = low << 1 & mask;
    if (bit(y, i) == 0) continue;
    low = (low + x) & mask;
    if (low < x) high = (high + 1) & mask;
  }
  return high;
}
GANNET_CASE(Umulhi, __umulhi(in.a, in.b), return high_product(in.a, in.b, 32);)
GANNET_CASE(Umul64hi, __umul64hi(in.ab(), in.cd()), return high_product(in.ab(), in.cd(), 64);)
GANNET_CASE(Mulhi,
            static_cast<std::uint32_t>(__mulhi(static_cast<int>(in.a), static_cast<int>(in.b))),
            // Two's complement: a negative factor counts 2^32 too much.
            std::uint32_t high = static_cast<std::uint32_t>(high_product(in.a, in.b, 32));
            if (in.a >> 31 != 0) high -= in.b; if (in.b >> 31 != 0) high -= in.a; return high;)

inline std::uint32_t byte_of(std::uint32_t word, unsigned i) { return word >> 8 * i & 255; }
GANNET_CASE(Dp4a, __dp4a(in.a, in.b, in.c),
            return static_cast<std::uint32_t>(in.c + byte_of(in.a, 0) * byte_of(in.b, 0) +
                                              byte_of(in.a, 1) * byte_of(in.b, 1) +
                                              byte_of(in.a, 2) * byte_of(in.b, 2) +
                                              byte_of(in.a, 3) * byte_of(in.b, 3));)
GANNET_CASE(Dp2aLo, __dp2a_lo(in.a, in.b, in.c),
            return static_cast<std::uint32_t>(in.c + in.a % 65536 * byte_of(in.b, 0) +
                                              in.a / 65536 * byte_of(in.b, 1));)
GANNET_CASE(Dp2aHi, __dp2a_hi(in.a, in.b, in.c),
            return static_cast<std::uint32_t>(in.c + in.a % 65536 * byte_of(in.b, 2) +
                                              in.a / 65536 * byte_of(in.b, 3));)

// min and max take unsigned numbers for what both are if one of them is.
GANNET_CASE(MinMixed, min(static_cast<int>(in.a), in.b), return in.a < in.b ? in.a : in.b;)
GANNET_CASE(MaxMixed, max(in.a, static_cast<int>(in.b)), return in.a > in.b ? in.a : in.b;)
GANNET_CASE(MinSigned,
            static_cast<std::uint32_t>(min(static_cast<int>(in.a), static_cast<int>(in.b))),
            return (in.a ^ 0x80000000u) < (in.b ^ 0x80000000u) ? in.a : in.b;)
GANNET_CASE(MaxLong, max(in.ab(), in.cd()), return in.ab() > in.cd() ? in.ab() : in.cd();)

}  // namespace gannet::test::conformance
