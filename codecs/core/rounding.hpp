// float32 arithmetic in which every operation is rounded on its own, on the host and on the device.
//
// Compilers may fuse a multiplication and an addition into one rounding; then two processors
// disagree in the last bit. The device uses the intrinsics that are never fused, the host is
// compiled with -ffp-contract=off.
#pragma once

#include "codecs/core/lanes.hpp"

namespace gannet::codecs {

#if defined(__CUDA_ARCH__)
GANNET_HD float rounded_add(float a, float b) { return __fadd_rn(a, b); }
GANNET_HD float rounded_mul(float a, float b) { return __fmul_rn(a, b); }
GANNET_HD float rounded_div(float a, float b) { return __fdiv_rn(a, b); }
#else
GANNET_HD float rounded_add(float a, float b) { return a + b; }
GANNET_HD float rounded_mul(float a, float b) { return a * b; }
GANNET_HD float rounded_div(float a, float b) { return a / b; }
#endif

}  // namespace gannet::codecs
