#include "codecs/base/simd_level.hpp"

#if GANNET_X86_SIMD
#include <cpuid.h>
#endif

namespace gannet::codecs {
namespace {

#if GANNET_X86_SIMD
/// __builtin_cpu_supports() of clang 14 does not know lzcnt. A virtual machine may hide it: the
/// instruction then runs as bsr, which has another result.
bool has_lzcnt() {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  return __get_cpuid(0x80000001u, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_ABM) != 0;
}
#endif

SimdLevel detect() {
#if GANNET_X86_SIMD
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
                    has_lzcnt();
  if (!avx2) return SimdLevel::kPortable;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512vbmi2");
  return avx512 ? SimdLevel::kAvx512 : SimdLevel::kAvx2;
#else
  return SimdLevel::kPortable;
#endif
}

}  // namespace

SimdLevel best_simd_level() {
  static const SimdLevel level = detect();
  return level;
}

std::string_view name_of(SimdLevel level) {
  switch (level) {
    case SimdLevel::kAvx2:
      return "avx2";
    case SimdLevel::kAvx512:
      return "avx512";
    case SimdLevel::kPortable:
      break;
  }
  return "portable";
}

}  // namespace gannet::codecs
