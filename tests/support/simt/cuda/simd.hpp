// Video instructions: two 16-bit or four 8-bit numbers of a word at once.
#pragma once

#include <algorithm>
#include <cstdint>

namespace gannet::simt {
/// f of each pair of fields of kBits, put where they were.
template <unsigned kBits, class F>
constexpr unsigned by_fields(unsigned a, unsigned b, F f) {
  constexpr unsigned kMask = (1u << kBits) - 1;
  unsigned result = 0;
  for (unsigned at = 0; at < 32; at += kBits) {
    result |= (f(a >> at & kMask, b >> at & kMask) & kMask) << at;
  }
  return result;
}

constexpr unsigned least(unsigned a, unsigned b) { return std::min(a, b); }
constexpr unsigned greatest(unsigned a, unsigned b) { return std::max(a, b); }
constexpr unsigned sum(unsigned a, unsigned b) { return a + b; }
constexpr unsigned difference(unsigned a, unsigned b) { return a - b; }
constexpr unsigned distance(unsigned a, unsigned b) { return a > b ? a - b : b - a; }
constexpr unsigned floored_difference(unsigned a, unsigned b) { return a > b ? a - b : 0; }
template <unsigned kBits>
constexpr unsigned capped_sum(unsigned a, unsigned b) {
  return std::min(a + b, (1u << kBits) - 1);
}
// Comparisons give all bits of a field, or none.
constexpr unsigned equal(unsigned a, unsigned b) { return a == b ? ~0u : 0; }
constexpr unsigned unequal(unsigned a, unsigned b) { return a != b ? ~0u : 0; }
constexpr unsigned at_least(unsigned a, unsigned b) { return a >= b ? ~0u : 0; }
constexpr unsigned above(unsigned a, unsigned b) { return a > b ? ~0u : 0; }
constexpr unsigned at_most(unsigned a, unsigned b) { return a <= b ? ~0u : 0; }
constexpr unsigned below(unsigned a, unsigned b) { return a < b ? ~0u : 0; }
}  // namespace gannet::simt

#define GANNET_SIMT_FIELDS(name, bits, function)          \
  constexpr unsigned name(unsigned a, unsigned b) {       \
    return gannet::simt::by_fields<bits>(a, b, function); \
  }
#define GANNET_SIMT_BOTH(name2, name4, function) \
  GANNET_SIMT_FIELDS(name2, 16, function)        \
  GANNET_SIMT_FIELDS(name4, 8, function)

GANNET_SIMT_BOTH(__vminu2, __vminu4, gannet::simt::least)
GANNET_SIMT_BOTH(__vmaxu2, __vmaxu4, gannet::simt::greatest)
GANNET_SIMT_BOTH(__vadd2, __vadd4, gannet::simt::sum)
GANNET_SIMT_BOTH(__vsub2, __vsub4, gannet::simt::difference)
GANNET_SIMT_FIELDS(__vaddus2, 16, gannet::simt::capped_sum<16>)
GANNET_SIMT_FIELDS(__vaddus4, 8, gannet::simt::capped_sum<8>)
GANNET_SIMT_BOTH(__vsubus2, __vsubus4, gannet::simt::floored_difference)
GANNET_SIMT_BOTH(__vabsdiffu2, __vabsdiffu4, gannet::simt::distance)
GANNET_SIMT_BOTH(__vcmpeq2, __vcmpeq4, gannet::simt::equal)
GANNET_SIMT_BOTH(__vcmpne2, __vcmpne4, gannet::simt::unequal)
GANNET_SIMT_BOTH(__vcmpgeu2, __vcmpgeu4, gannet::simt::at_least)
GANNET_SIMT_BOTH(__vcmpgtu2, __vcmpgtu4, gannet::simt::above)
GANNET_SIMT_BOTH(__vcmpleu2, __vcmpleu4, gannet::simt::at_most)
GANNET_SIMT_BOTH(__vcmpltu2, __vcmpltu4, gannet::simt::below)
#undef GANNET_SIMT_BOTH
#undef GANNET_SIMT_FIELDS
