// Which vector instructions the host's processor has. Asked at run time: one build runs everywhere.
#pragma once

#include <cstdint>
#include <string_view>

#if defined(__x86_64__) && defined(__GNUC__)
#define GANNET_X86_SIMD 1
/// What the functions of a level are compiled for; nothing else in their files is.
#define GANNET_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt,lzcnt")))
#define GANNET_TARGET_AVX512 \
  __attribute__((            \
      target("avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx2,bmi,bmi2,popcnt,lzcnt")))
#else
#define GANNET_X86_SIMD 0
#endif

namespace gannet::codecs {

/// In ascending order: a processor that has one has those before it.
enum class SimdLevel : std::uint8_t {
  kPortable,  ///< what the compiler makes of plain loops
  kAvx2,      ///< with BMI2 and popcnt: Haswell, Zen and later
  kAvx512,    ///< F, BW, DQ, VL and VBMI2: Ice Lake, Zen 4 and later
};

/// The best level that this processor has. Thread-safe; asks once.
SimdLevel best_simd_level();

/// "portable", "avx2", "avx512".
std::string_view name_of(SimdLevel level);

}  // namespace gannet::codecs
