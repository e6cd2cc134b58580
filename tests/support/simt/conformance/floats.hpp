// Float intrinsics. The formulas compute in double, which holds what they round exactly enough: a
// sum, product or quotient of floats that is rounded to double and then to float is rounded right,
// and so is a root (double has more than twice the digits).
#pragma once

#include <cfloat>
#include <cmath>

#include "tests/support/simt/conformance/cases.hpp"

namespace gannet::test::conformance {

inline std::uint32_t bits_of(float x) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

/// The bits of the float that is nearest, without the sign of NaN.
inline std::uint64_t rounded(double exact) {
  return std::isnan(exact) ? 0x7fffffffu : bits_of(static_cast<float>(exact));
}
__device__ __host__ inline std::uint32_t plain_nan(std::uint32_t bits) {
  return (bits & 0x7fffffffu) > 0x7f800000u ? 0x7fffffffu : bits;
}

#define GANNET_FLOAT_CASE(Name, on_device, exact) \
  GANNET_CASE(Name, plain_nan(__float_as_uint(on_device)), return rounded(exact);)

GANNET_FLOAT_CASE(FaddRn, __fadd_rn(in.f, in.g), double{in.f} + double{in.g})
GANNET_FLOAT_CASE(FsubRn, __fsub_rn(in.f, in.g), double{in.f} - double{in.g})
GANNET_FLOAT_CASE(FmulRn, __fmul_rn(in.f, in.g), double{in.f} * double{in.g})
GANNET_FLOAT_CASE(FdivRn, __fdiv_rn(in.f, in.g), double{in.f} / double{in.g})
GANNET_FLOAT_CASE(FsqrtRn, __fsqrt_rn(in.f), std::sqrt(double{in.f}))
GANNET_FLOAT_CASE(FrcpRn, __frcp_rn(in.f), 1.0 / double{in.f})
GANNET_FLOAT_CASE(Uint2Float, __uint2float_rn(in.a), static_cast<double>(in.a))
GANNET_FLOAT_CASE(Int2Float, __int2float_rn(static_cast<int>(in.a)),
                  static_cast<double>(static_cast<int>(in.a)))
GANNET_FLOAT_CASE(Saturate, __saturatef(in.f), in.f > 1 ? 1.0 : in.f > 0 ? double{in.f} : 0.0)
GANNET_FLOAT_CASE(UintAsFloat, __uint_as_float(__float_as_uint(in.f)), in.f)
GANNET_FLOAT_CASE(IntAsFloat, __int_as_float(__float_as_int(in.f)), in.f)
GANNET_FLOAT_CASE(MinFloat, min(in.f, in.g), in.f < in.g ? in.f : in.g)
GANNET_FLOAT_CASE(MaxFloat, max(in.f, in.g), in.f > in.g ? in.f : in.g)
// The product is exact in double, the sum that is compared with is fma's own.
GANNET_FLOAT_CASE(FmafRn, __fmaf_rn(in.f, in.g, 0.75f), std::fmaf(in.f, in.g, 0.75f))

/// A whole number within limits, as a word.
inline std::uint64_t limited(double whole, double least, double most) {
  const double kept = std::fmin(std::fmax(whole, least), most);
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(kept));
}
inline std::uint64_t to_unsigned(double whole) { return limited(whole, 0, 4294967295.0); }
inline std::uint64_t to_signed(double whole) { return limited(whole, -2147483648.0, 2147483647.0); }
/// Ties go to the even number.
inline double nearest(double x) {
  const double below = std::floor(x);
  const double rest = x - below;
  if (rest != 0.5) return rest < 0.5 ? below : below + 1;
  return std::fmod(below, 2) == 0 ? below : below + 1;
}

#define GANNET_CONVERSION(suffix, rounding)                                               \
  GANNET_CASE(Float2Uint_##suffix, __float2uint_##suffix(in.f),                           \
              return to_unsigned(rounding(double{in.f}));)                                \
  GANNET_CASE(Float2Int_##suffix, static_cast<std::uint32_t>(__float2int_##suffix(in.f)), \
              return to_signed(rounding(double{in.f}));)
GANNET_CONVERSION(rd, std::floor)
GANNET_CONVERSION(ru, std::ceil)
GANNET_CONVERSION(rz, std::trunc)
GANNET_CONVERSION(rn, nearest)
#undef GANNET_CONVERSION
#undef GANNET_FLOAT_CASE
GANNET_CASE(Float2UintNan, __float2uint_rd(in.f * 0 + __uint_as_float(0x7fc00000u)), return 0;)
GANNET_CASE(Float2IntNan,
            static_cast<std::uint32_t>(__float2int_rz(in.f * 0 + __uint_as_float(0x7fc00000u))),
            return 0;)

}  // namespace gannet::test::conformance
