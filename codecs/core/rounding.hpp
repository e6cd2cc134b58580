// float32 arithmetic that rounds every operation to nearest, on the host and on the device. Scores
// are computed with it, so that both processors give equal bits.
//
// Compilers may contract a multiplication and an addition into one operation with one rounding.
// Then two processors disagree in the last bit. The device code uses intrinsics that are never
// contracted. On the host, a product goes through an empty asm statement, which the optimiser
// cannot see through. So the results do not depend on -ffp-contract or --fmad of the including
// program. But -ffast-math, --use_fast_math and their parts permit other changes: do not use
// them.
//
// The asm statement also prevents the vectorisation of loops. The library gannet_query is compiled
// with -ffp-contract=off and defines GANNET_CONTRACTION_OFF, which omits the asm statement.
#pragma once

#include "codecs/core/lanes.hpp"

namespace gannet::codecs {

#if !defined(__CUDA_ARCH__) && !defined(GANNET_CONTRACTION_OFF)
/// Returns `value`, and hides from the compiler how `value` was computed.
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
