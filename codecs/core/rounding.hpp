// float32 arithmetic in which every operation is rounded on its own, on the host and on the device,
// whatever flags a program that includes this is compiled with.
//
// Compilers may fuse a multiplication and an addition into one rounding (contraction); then two
// processors disagree in the last bit. The device uses the intrinsics that are never fused. On the
// host a product passes through an empty asm statement, which no optimisation looks into. That also
// keeps loops from being vectorised, so Gannet's own files, which are compiled with
// -ffp-contract=off, say so by GANNET_CONTRACTION_OFF and do without.
#pragma once

#include "codecs/core/lanes.hpp"

namespace gannet::codecs {

#if !defined(__CUDA_ARCH__) && !defined(GANNET_CONTRACTION_OFF)
/// Returns `value`, and hides from the compiler how it was computed.
GANNET_HD float opaque(float value) {
#if defined(__x86_64__)
  __asm__("" : "+x"(value));
#elif defined(__aarch64__)
  __asm__("" : "+w"(value));
#else
  const volatile float kept = value;
  value = kept;
#endif
  return value;
}
#endif

#if defined(__CUDA_ARCH__)
GANNET_HD float rounded_add(float a, float b) { return __fadd_rn(a, b); }
GANNET_HD float rounded_mul(float a, float b) { return __fmul_rn(a, b); }
GANNET_HD float rounded_div(float a, float b) { return __fdiv_rn(a, b); }
#else
GANNET_HD float rounded_add(float a, float b) { return a + b; }
#if defined(GANNET_CONTRACTION_OFF)
GANNET_HD float rounded_mul(float a, float b) { return a * b; }
#else
GANNET_HD float rounded_mul(float a, float b) { return opaque(a * b); }
#endif
GANNET_HD float rounded_div(float a, float b) { return a / b; }
#endif

}  // namespace gannet::codecs
