// Float intrinsics. Programs that use them are compiled without contraction, so that every
// operation is rounded once, to the nearest, as the device's intrinsics do.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }

inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fsqrt_rn(float a) { return std::sqrt(a); }
inline float __frcp_rn(float a) { return 1.0f / a; }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
/// The device's has an error of up to 2 units in the last place; this one is the nearest.
inline float __fdividef(float a, float b) { return a / b; }
/// Into 0..1; NaN becomes 0.
inline float __saturatef(float a) { return a > 0.0f ? (a < 1.0f ? a : 1.0f) : 0.0f; }

namespace gannet::simt {
/// A whole number as T; beyond its range the nearest that it has, and 0 for NaN.
template <class T>
T clamped(float whole) {
  if (std::isnan(whole)) return 0;
  const auto value = static_cast<double>(whole);
  if (value <= static_cast<double>(std::numeric_limits<T>::min())) {
    return std::numeric_limits<T>::min();
  }
  if (value >= static_cast<double>(std::numeric_limits<T>::max())) {
    return std::numeric_limits<T>::max();
  }
  return static_cast<T>(value);
}
}  // namespace gannet::simt

// To integers: rounded down, up, towards zero, to the nearest (ties to even).
inline unsigned __float2uint_rd(float a) { return gannet::simt::clamped<unsigned>(std::floor(a)); }
inline unsigned __float2uint_ru(float a) { return gannet::simt::clamped<unsigned>(std::ceil(a)); }
inline unsigned __float2uint_rz(float a) { return gannet::simt::clamped<unsigned>(std::trunc(a)); }
inline unsigned __float2uint_rn(float a) {
  return gannet::simt::clamped<unsigned>(std::nearbyint(a));
}
inline int __float2int_rd(float a) { return gannet::simt::clamped<int>(std::floor(a)); }
inline int __float2int_ru(float a) { return gannet::simt::clamped<int>(std::ceil(a)); }
inline int __float2int_rz(float a) { return gannet::simt::clamped<int>(std::trunc(a)); }
inline int __float2int_rn(float a) { return gannet::simt::clamped<int>(std::nearbyint(a)); }
inline float __uint2float_rn(unsigned a) { return static_cast<float>(a); }
inline float __int2float_rn(int a) { return static_cast<float>(a); }
