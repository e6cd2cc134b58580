// Video instructions: bytes and halves of a word, each for itself.
#pragma once

#include <algorithm>

#include "tests/support/simt/conformance/cases.hpp"

namespace gannet::test::conformance {

/// f over the fields of two words, each an int, and the largest that a field holds; cut to
/// a field's bits afterwards.
template <class F>
std::uint64_t each_field(const Input& in, int fields, F f) {
  const std::uint64_t range = fields == 2 ? 65536 : 256;
  std::uint64_t result = 0;
  std::uint64_t unit = 1;
  for (int i = 0; i < fields; ++i, unit *= range) {
    const int x = static_cast<int>(in.a / unit % range);
    const int y = static_cast<int>(in.b / unit % range);
    result += static_cast<std::uint64_t>(f(x, y, static_cast<int>(range - 1))) % range * unit;
  }
  return result;
}

/// A comparison's field: all bits, or none.
inline int flag(bool yes) { return yes ? -1 : 0; }

/// The formulas know a field's largest number as `most`.
#define GANNET_FIELD_CASE(Name, fields, intrinsic, ...)                                          \
  GANNET_CASE(Name, intrinsic(in.a, in.b),                                                       \
              return each_field(in, fields, [](int x, int y, [[maybe_unused]] int most) -> int { \
                return __VA_ARGS__;                                                              \
              });)
#define GANNET_FIELD_CASES(Name, intrinsic, ...)           \
  GANNET_FIELD_CASE(Name##2, 2, intrinsic##2, __VA_ARGS__) \
  GANNET_FIELD_CASE(Name##4, 4, intrinsic##4, __VA_ARGS__)

GANNET_FIELD_CASES(Vminu, __vminu, std::min(x, y))
GANNET_FIELD_CASES(Vmaxu, __vmaxu, std::max(x, y))
GANNET_FIELD_CASES(Vadd, __vadd, x + y)
GANNET_FIELD_CASES(Vsub, __vsub, x - y)
GANNET_FIELD_CASES(Vaddus, __vaddus, std::min(x + y, most))
GANNET_FIELD_CASES(Vsubus, __vsubus, std::max(x - y, 0))
GANNET_FIELD_CASES(Vabsdiffu, __vabsdiffu, std::max(x - y, y - x))
GANNET_FIELD_CASES(Vcmpeq, __vcmpeq, flag(x == y))
GANNET_FIELD_CASES(Vcmpne, __vcmpne, flag(x != y))
GANNET_FIELD_CASES(Vcmpgeu, __vcmpgeu, flag(x >= y))
GANNET_FIELD_CASES(Vcmpgtu, __vcmpgtu, flag(x > y))
GANNET_FIELD_CASES(Vcmpleu, __vcmpleu, flag(x <= y))
GANNET_FIELD_CASES(Vcmpltu, __vcmpltu, flag(x < y))
#undef GANNET_FIELD_CASES
#undef GANNET_FIELD_CASE

}  // namespace gannet::test::conformance
